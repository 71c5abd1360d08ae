import { z } from 'zod'
import { detailFields } from '@/lib/operations/details'
import { expansionsOf, MOST_EXPANDED } from '@/lib/operations/shape'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'
import { type Edition, type Json, jsonSchema, objectOf, pascal, ref } from './schema'

const ID = '[0-9a-z]{26}'

/** What ids look like, by the field that holds one. */
const idForms: Record<string, Json> = {
  projectId: { pattern: `^prj_${ID}$`, maxLength: 30 },
  customerId: { pattern: `^cus_${ID}$`, maxLength: 30 },
  contractorId: { pattern: `^con_${ID}$`, maxLength: 30 },
}

const nameOf = (resource: Resource) => pascal(resource.singular)

/** What `expand` adds to a record, by reference, because records lead to each other. */
function expanded(resource: Resource): Json {
  return Object.fromEntries(
    expansionsOf(resource).map((each) => {
      const record = ref('schemas', nameOf(each.resource))
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

/** What `include=details` adds to a record. */
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
        nameOf(resource),
        {
          ...schema,
          properties: { ...Object.fromEntries(own), ...detailed(resource, edition), ...expanded(resource) },
        },
      ]
    }),
  )
}
