import type { components, operations } from './openapi.js'

type Schemas = components['schemas']

/** A whole record's schema, with `updatedAt`; {@link isRecord} checks that. */
type Whole<Schema> = Schema & { updatedAt: string }

/** The record of each resource. Fields may be added within v1; ignore those that you do not know. */
export type Records = {
  customers: Whole<Schemas['Customer']>
  projects: Whole<Schemas['Project']>
  invoices: Whole<Schemas['Invoice']>
  payments: Whole<Schemas['Payment']>
  estimates: Whole<Schemas['Estimate']>
}
export type ResourceName = keyof Records
export type Customer = Records['customers']
export type Project = Records['projects']
export type Invoice = Records['invoices']
export type Payment = Records['payments']
export type Estimate = Records['estimates']

export const RESOURCES: readonly ResourceName[] = ['customers', 'projects', 'invoices', 'payments', 'estimates']

type Queries = {
  customers: operations['list_customers']['parameters']['query']
  projects: operations['list_projects']['parameters']['query']
  invoices: operations['list_invoices']['parameters']['query']
  payments: operations['list_payments']['parameters']['query']
  estimates: operations['list_estimates']['parameters']['query']
}
/** The query of a list. Not `fields`: records are whole here, as their types say. */
export type ListQuery<N extends ResourceName> = Omit<NonNullable<Queries[N]>, 'fields'>

type Answer<O extends { responses: { 200: { content: { 'application/json': unknown } } } }> =
  O['responses'][200]['content']['application/json']

export type Page<N extends ResourceName> = {
  items: Records[N][]
  nextPageToken: string | null
  count?: number
  countIsExact?: boolean
}
/** A page of the changes feed. */
export type ChangesPage = Answer<operations['list_changes']>
export type ChangesQuery = NonNullable<operations['list_changes']['parameters']['query']>
/** An item of the changes feed. */
export type Change = ChangesPage['items'][number]
/** The number of records, and their checksum. */
export type Total = { count: number; checksum: string }

/** A record with the name of its resource. */
export type Upsert<N extends ResourceName = ResourceName> = {
  [K in N]: { resource: K; id: string; record: Records[K] }
}[N]
export type Delete = { resource: ResourceName; id: string }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reports whether a value is a record; of which resource, the address that was asked tells. */
export const isRecord = <N extends ResourceName>(value: unknown): value is Records[N] =>
  isObject(value) && typeof value.id === 'string' && typeof value.updatedAt === 'string'

export const isResource = (name: unknown): name is ResourceName => RESOURCES.some((each) => each === name)

/** Reports whether name and record go together; which fields it has follows from where it came from. */
export const isUpsert = (value: { resource: string; id: string; record: unknown }): value is Upsert =>
  isResource(value.resource) && isRecord(value.record) && value.record.id === value.id

export const isPage = <N extends ResourceName>(value: unknown): value is Page<N> =>
  isObject(value) &&
  Array.isArray(value.items) &&
  value.items.every((item) => isRecord(item)) &&
  (value.nextPageToken === null || typeof value.nextPageToken === 'string')

export const isChangesPage = (value: unknown): value is ChangesPage =>
  isObject(value) &&
  Array.isArray(value.items) &&
  value.items.every((item) => isObject(item) && typeof item.id === 'string' && typeof item.change === 'string') &&
  typeof value.cursor === 'string' &&
  typeof value.more === 'boolean' &&
  isObject(value.totals)

export const isTotal = (value: unknown): value is Total & { cursor: string } =>
  isObject(value) && typeof value.count === 'number' && typeof value.checksum === 'string'

/** The last line of an export. */
export const isEnd = (value: unknown): value is { cursor: string | null; count: number } =>
  isObject(value) && !('id' in value) && typeof value.count === 'number'
