import * as z from 'zod'
import { identifierOf } from '@/lib/core/resource-names'
import { detailFields } from '@/lib/operations/details'
import { expansionsOf, MOST_EXPANDED } from '@/lib/operations/shape'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'
import { type Edition, type Json, jsonSchema, objectOf, pascal, ref } from './schema'

const ID = '[0-9a-z]{26}'

/** The form of a new record's id. */
const formOf = (prefix: string): Json => ({ pattern: `^${prefix}_${ID}$`, maxLength: prefix.length + 27 })
/** The field that holds the id of such a record: `projectId`. */
const fieldOf = (singular: string): string =>
  `${singular.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())}Id`

/** The forms of ids, by the field that holds one. */
const idForms: Record<string, Json> = {
  ...Object.fromEntries(RESOURCES.map(({ singular, idPrefix }) => [fieldOf(singular), formOf(idPrefix)])),
  contractorId: formOf('con'),
}

/** The name of the schema of a resource's records. */
export const schemaOf = ({ singular }: Resource): string => pascal(identifierOf(singular))

/** Returns what `expand` adds to a record, by reference, because records lead to each other. */
function expanded(resource: Resource): Json {
  return Object.fromEntries(
    expansionsOf(resource).map((each) => {
      const record = ref('schemas', schemaOf(each.resource))
      const several = {
        type: 'object',
        description: `With expand=${each.field}: the latest changed first`,
        required: ['items', 'more'],
        properties: {
          items: { type: 'array', maxItems: MOST_EXPANDED, items: record },
          more: { type: 'boolean', description: 'Whether there are more than these' },
        },
      }
      return [each.field, 'link' in each ? record : several]
    }),
  )
}

/** Returns what `include=details` adds to a record. */
function detailed(resource: Resource, edition: Edition): Json {
  const { properties } = jsonSchema(z.object(detailFields(resource)), edition, 'output')
  return Object.fromEntries(
    Object.entries(objectOf(properties)).map(([name, property]) => {
      const { description, ...rest } = objectOf(property)
      const told = ['With include=details', ...(typeof description === 'string' ? [description] : [])].join('. ')
      return [name, { ...rest, description: told }]
    }),
  )
}

/** The schema of each resource's records, by name. Every operation that returns some refers to it. */
export function recordSchemas(edition: Edition): Json {
  return Object.fromEntries(
    RESOURCES.map((resource) => {
      const schema = jsonSchema(resource.output, edition, 'output')
      const own = Object.entries(objectOf(schema.properties)).map(([name, property]) => [
        name,
        {
          ...objectOf(property),
          ...idForms[name],
          ...(name === 'id' ? { pattern: `^${resource.idPrefix}_`, maxLength: 100 } : {}),
        },
      ])
      return [
        schemaOf(resource),
        {
          ...schema,
          properties: { ...Object.fromEntries(own), ...detailed(resource, edition), ...expanded(resource) },
        },
      ]
    }),
  )
}
