import { z } from 'zod'
import { resources } from '@/lib/resources/registry'
import { defineOperation } from './define'
import { fieldType } from './field-type'
import { API_VERSION, COMMON_PARAMETERS, listParameters } from './lists'

const Named = z.object({ name: z.string(), type: z.string() })

function document() {
  return {
    apiVersion: API_VERSION,
    resources: Object.values(resources).map((resource) => ({
      name: resource.name,
      path: `/api/v1/${resource.name}`,
      query: listParameters(resource),
      fields: Object.entries(resource.output.shape).map(([name, schema]) => ({ name, type: fieldType(schema) })),
    })),
    query: { common: COMMON_PARAMETERS },
  }
}

/** `GET /metadata`: what can be read, derived from the resources themselves (specification 2.6). */
export const getMetadata = defineOperation({
  name: 'get_metadata',
  title: 'Describe the resources',
  description: 'The resources of this API, the query parameters each takes, and its fields with their types.',
  access: 'any_key',
  effect: 'read',
  limit: 'dataApi',
  input: z.object({}),
  output: z.object({
    apiVersion: z.literal(API_VERSION),
    resources: z.array(
      z.object({ name: z.string(), path: z.string(), query: z.array(z.string()), fields: z.array(Named) }),
    ),
    query: z.object({ common: z.array(z.string()) }),
  }),
  example: {
    apiVersion: API_VERSION,
    resources: [
      {
        name: 'payments',
        path: '/api/v1/payments',
        query: ['contractorId', 'limit', 'updatedAfter', 'pageToken', 'customerId', 'projectId', 'from', 'to'],
        fields: [
          { name: 'id', type: 'string' },
          { name: 'amount', type: 'number' },
        ],
      },
    ],
    query: { common: COMMON_PARAMETERS },
  },
  http: { method: 'GET', path: '/metadata', at: 'data' },
  run: async () => document(),
})
