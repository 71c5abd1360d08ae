import * as z from 'zod'
import { MOST_SORTED } from '@/db/queries/list-shape'
import { identifierOf, type ResourceName } from '@/lib/core/resource-names'
import { grouped } from '@/lib/core/text'
import type { Resource } from '@/lib/resources/define'
import { Amount, Currency } from '@/lib/resources/fields'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { agentExample, agentListSource, agentOutput, untrustedOf } from './agent-fields'
import { browseOperation } from './browse'
import { detailFields, detailSources, INCLUDE } from './details'
import { COMMON, COUNT, INCREMENTAL, NAMED_INPUT, narrowing, pageLimit } from './list-input'
import { byTokens } from './list-page'
import { API_VERSION, type Audience, getOperation, listOperation, listParameters } from './lists'
import { expandedFields, shaping } from './shape'

const VERSION = { apiVersion: z.literal(API_VERSION) }
const NEXT = {
  nextPageToken: z.string().nullable().describe('Send it as pageToken for the next page; null on the last one'),
}

/** Programs that keep a copy: the specified fields, in the order of changes, with what is asked for beyond them. */
const api = {
  verb: 'list',
  title: 'List',
  description: ({ name }) => `The contractor’s ${name}, least recently updated first unless sorted otherwise.`,
  input: (resource) =>
    z.object({ ...COMMON, ...INCREMENTAL, ...narrowing(resource), ...INCLUDE, ...shaping(resource), ...COUNT }),
  output: (resource) =>
    z.object({
      ...VERSION,
      count: z.int().optional().describe('With count=true: how many records the list finds, over all pages'),
      countIsExact: z
        .boolean()
        .optional()
        .describe(`With count=true: false when count is an estimate, beyond ${grouped(MOST_SORTED)}`),
      items: z.array(resource.output.extend(detailFields(resource)).extend(expandedFields(resource))),
      ...NEXT,
    }),
  example: ({ example }) => ({ apiVersion: API_VERSION, items: [example], nextPageToken: null }),
  pages: byTokens,
  fields: detailSources,
  counts: 'asked',
  apiVersion: true,
  offered: (resource) => ({
    limit: 'dataApi',
    http: { method: 'GET', path: `/${resource.name}`, at: 'data', versioned: true },
    parameters: () => listParameters(resource),
  }),
} satisfies Audience

function totalOf({ tool: { sums } }: Resource) {
  if (!sums) return {}
  const amounts = Object.keys(sums).filter((name) => name !== 'currency')
  const line = z.object({ currency: Currency, ...Object.fromEntries(amounts.map((name) => [name, Amount])) })
  return { total: z.array(line).nullish().describe('Sums of all that is found, for each currency') }
}

/** The order for agents where records have a date of their own: the latest first. */
function latestFirst(resource: Resource): Record<string, z.ZodType> {
  const { sort } = narrowing(resource)
  return sort && 'date' in resource.sorts
    ? { sort: sort.default('-date').describe('- for the greatest or latest first') }
    : {}
}

/**
 * Agents: short pages, any order, names beside ids, and on the first page how many there are and what they sum up to, because adding up
 * pages costs a model more than asking.
 */
export const agent = {
  verb: 'tell',
  title: 'List',
  description: ({ tool }) => tool.description,
  input: (resource) =>
    z
      .object({
        limit: pageLimit(25, 10),
        updatedAfter: INCREMENTAL.updatedAfter.describe(
          'Only stored or changed here after this moment, as a load does; what happened lately is in get_recent_activity',
        ),
        pageToken: INCREMENTAL.pageToken.describe('nextPageToken of the page before'),
        ...NAMED_INPUT,
        ...narrowing(resource),
        ...latestFirst(resource),
      })
      .strict(),
  output: (resource) =>
    z.object({
      ...VERSION,
      count: z
        .int()
        .nullish()
        .describe(`How many are found; null beyond ${grouped(MOST_SORTED)}, absent on later pages`),
      ...totalOf(resource),
      items: z.array(agentOutput(resource)),
      ...NEXT,
    }),
  example: (resource) => ({
    apiVersion: API_VERSION,
    count: 1,
    items: [agentExample(resource)],
    nextPageToken: null,
  }),
  pages: byTokens,
  fields: agentListSource,
  counts: 'first',
  requiresIds: true,
  apiVersion: true,
  offered: (resource) => ({
    tool: {
      name: `list_${identifierOf(resource.name)}`,
      category: resource.tool.category,
      example: { limit: 5 },
      untrusted: untrustedOf(resource),
    },
  }),
} satisfies Audience

type Singular = (typeof resources)[ResourceName]['singular']

type ListFor<A extends Audience> = ReturnType<typeof listOperation<ReturnType<A['output']>>>

type RecordOperations = { [Name in ResourceName as `list${Capitalize<Name>}`]: ListFor<typeof api> } & {
  [Name in Singular as `get${Capitalize<Name>}`]: ReturnType<typeof getOperation>
} & { [Name in ResourceName as `tell${Capitalize<Name>}`]: ListFor<typeof agent> } & {
  [Name in ResourceName as `browse${Capitalize<Name>}`]: ReturnType<typeof browseOperation>
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const listName = ({ name }: Resource, { verb }: Pick<Audience, 'verb'>) => `${verb}${capitalized(name)}`
const getName = ({ singular }: Resource) => `get${capitalized(singular)}`

/** Gives an object a property that is made when it is first read: an operation has a dozen schemas, and a request needs one of many. */
function defineLate(target: object, name: string, make: () => object): void {
  const get = () => {
    const value = make()
    Object.defineProperty(target, name, { value, enumerable: true })
    return value
  }
  Object.defineProperty(target, name, { get, enumerable: true, configurable: true })
}

/** Builds the operations from the names that the type is made of; the compiler cannot follow names through a list, hence the one cast. */
function recordOperations(): RecordOperations {
  const all = {}
  for (const resource of RESOURCES) {
    defineLate(all, listName(resource, api), () => listOperation(resource, api))
    defineLate(all, getName(resource), () => getOperation(resource))
    defineLate(all, listName(resource, agent), () => listOperation(resource, agent))
    defineLate(all, `browse${capitalized(resource.name)}`, () => browseOperation(resource))
  }
  return all as RecordOperations
}

/**
 * The operations that read each resource: `listInvoices`, `getInvoice`, `browseInvoices`, and so on. Route files of records import this and
 * not the registry, so that a function of the platform starts without all other operations.
 */
export const records = recordOperations()

type ReadOperation = ListFor<typeof api> | ReturnType<typeof getOperation>

/** Returns the list of a resource. */
export const listOf = (name: ResourceName): ReadOperation => Reflect.get(records, listName(resources[name], api))

/** Returns the list of a resource for people. */
export const browseOf = (name: ResourceName): ReturnType<typeof browseOperation> =>
  Reflect.get(records, `browse${capitalized(name)}`)

/** Returns the operation that reads one record of a resource. */
export const getOf = (name: ResourceName): ReadOperation => Reflect.get(records, getName(resources[name]))
