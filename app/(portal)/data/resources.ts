import { notFound } from 'next/navigation'
import { z } from 'zod'
import { listOperation } from '@/lib/operations/lists'
import type { Resource } from '@/lib/resources/define'
import { FromMoment, ToMoment } from '@/lib/resources/fields'
import { RESOURCES } from '@/lib/resources/registry'

type Known = { resource: Resource; list: ReturnType<typeof listOperation> }

/** The resources by name, each with its list. */
const KNOWN = new Map(
  RESOURCES.map((resource): [string, Known] => [resource.name, { resource, list: listOperation(resource) }]),
)

export const RESOURCE_NAMES = [...KNOWN.keys()]

/** The resource an address names; the page is not there for any other. */
export function requireResource(name: string) {
  const known = KNOWN.get(name)
  if (known) return known
  return notFound()
}

/** A name of the API in words: `customerId` is the customer, `dueDate` the due date. */
export function wordsOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A filter as a form asks for it. */
export type FilterField = {
  name: string
  label: string
  hint: string
  kind: 'choice' | 'day' | 'text'
  options: string[]
}

/** A resource's filters, each asked for by what its schema takes. */
export function filterFieldsOf({ filters }: Resource): FilterField[] {
  return Object.entries(filters).map(([name, { schema }]) => {
    const { enum: options = [], description = '' } = z.toJSONSchema(schema, { io: 'input' })
    const isDay = schema === FromMoment || schema === ToMoment
    return {
      name,
      label: wordsOf(name),
      hint: description,
      kind: options.length > 0 ? 'choice' : isDay ? 'day' : 'text',
      options: options.map(String),
    }
  })
}
