import { notFound } from 'next/navigation'
import { z } from 'zod'
import { browseOperation } from '@/lib/operations/browse-records'
import { exportOperation } from '@/lib/operations/exports/export-records'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { FromMoment, ToMoment } from '@/lib/resources/fields'
import { RESOURCES, resourceCalled } from '@/lib/resources/registry'

type Known = {
  resource: Resource
  browse: ReturnType<typeof browseOperation>
  exported: ReturnType<typeof exportOperation>
}

/** Resources, how people browse them and take them along, by name. */
const KNOWN = new Map(
  RESOURCES.map((resource): [string, Known] => [
    resource.name,
    { resource, browse: browseOperation(resource), exported: exportOperation(resource) },
  ]),
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

/** A filter as a form field. A `record` is chosen on its own page; `of` is its resource. */
export type FilterField = {
  name: string
  label: string
  hint: string
  kind: 'choice' | 'day' | 'text' | 'record'
  options: string[]
  of?: string
}

/** Returns a resource's filters, each with the control that fits its schema. */
export function filterFieldsOf(resource: Resource): FilterField[] {
  const { filters, links } = resource
  const recordOf = (name: string) => links.find((link) => fieldOfLink(resource, link) === name)
  const shown = Object.entries(filters).filter(([, { beyondForm }]) => !beyondForm)
  return shown.map(([name, { schema }]) => {
    const { enum: own, items, description = '' } = z.toJSONSchema(schema, { io: 'input' })
    const options: unknown[] = own ?? Object(items).enum ?? []
    const isDay = schema === FromMoment || schema === ToMoment
    const record = recordOf(name)
    return {
      name,
      label: wordsOf(name),
      hint: description,
      kind: record ? 'record' : options.length > 0 ? 'choice' : isDay ? 'day' : 'text',
      options: options.map(String),
      ...(record && { of: resourceCalled(record.to).name }),
    }
  })
}
