import { notFound } from 'next/navigation'
import { z } from 'zod'
import { browseOperation } from '@/lib/operations/browse-records'
import type { Resource } from '@/lib/resources/define'
import { FromMoment, ToMoment } from '@/lib/resources/fields'
import { RESOURCES } from '@/lib/resources/registry'

type Known = { resource: Resource; browse: ReturnType<typeof browseOperation> }

/** Resources and how people browse them, by name. */
const KNOWN = new Map(
  RESOURCES.map((resource): [string, Known] => [resource.name, { resource, browse: browseOperation(resource) }]),
)

export const RESOURCE_NAMES = [...KNOWN.keys()]

/** Returns the resource named in the URL. Answers 404 for any other name. */
export function requireResource(name: string) {
  const known = KNOWN.get(name)
  if (known) return known
  return notFound()
}

/** Turns an API field name into words: `customerId` becomes customer, `dueDate` becomes due date. */
export function wordsOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A filter as a form shows it. */
export type FilterField = {
  name: string
  label: string
  hint: string
  kind: 'choice' | 'day' | 'text'
  options: string[]
}

/** Returns a resource's filters, each with the control that fits its schema. */
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
