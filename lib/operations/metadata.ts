import * as z from 'zod'
import { database } from '@/db/client'
import { dataAsOf } from '@/db/queries/freshness'
import { ERRORS } from '@/lib/core/errors'
import { Instant } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { DELETED_DAYS } from './absent'
import { FEED_FIELDS, listChanges } from './changes/list-changes'
import { defineOperation } from './define'
import { fieldType } from './field-type'
import { tokensOn } from './list-page'
import { API_VERSION, COMMON_PARAMETERS, listParameters } from './lists'

const Named = z.object({ name: z.string(), type: z.string() })

const DELETED = { status: ERRORS.gone.status, days: DELETED_DAYS }

async function document(contractorId: string) {
  const asOf = await dataAsOf((await database()).orm, contractorId, Object.keys(resources))
  const lists = Object.values(resources).map((resource) => ({
    name: resource.name,
    path: `/api/v1/${resource.name}`,
    query: listParameters(resource),
    fields: Object.entries(resource.output.shape).map(([name, schema]) => ({ name, type: fieldType(schema) })),
    details: Object.entries(resource.details).map(([name, { schema }]) => ({ name, type: fieldType(schema) })),
    dataAsOf: asOf.get(resource.name) ?? null,
  }))
  const feed = {
    name: 'changes',
    path: '/api/v1/changes',
    query: Object.keys(listChanges.input.shape),
    fields: FEED_FIELDS,
  }
  return {
    apiVersion: API_VERSION,
    resources: [...lists, feed],
    query: { common: COMMON_PARAMETERS },
    pageTokens: tokensOn(),
    deleted: DELETED,
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
      z.object({
        name: z.string(),
        path: z.string(),
        query: z.array(z.string()),
        fields: z.array(Named),
        details: z.array(Named).optional().describe('What include=details adds'),
        dataAsOf: Instant.nullable()
          .optional()
          .describe(
            'When the contractor’s records of this resource were last loaded or written; null when never. A load that found nothing new counts, and what only the clock changes does not',
          ),
      }),
    ),
    query: z.object({ common: z.array(z.string()) }),
    pageTokens: z
      .boolean()
      .describe(
        'Whether this server issues page tokens. false: a list has one page, and one that ends before its last record says so by the header List-Complete',
      ),
    deleted: z
      .object({ status: z.int(), days: z.int() })
      .describe('What `/<resource>/{id}` answers for a deleted record, and for how many days'),
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
        dataAsOf: '2026-11-20T07:12:04.000Z',
      },
    ],
    query: { common: COMMON_PARAMETERS },
    pageTokens: true,
    deleted: DELETED,
  },
  http: { method: 'GET', path: '/metadata', at: 'data' },
  run: ({ actor: { contractorId } }) => document(contractorId),
})
