import * as z from 'zod'
import { type Database, database } from '@/db/client'
import { recordsState } from '@/db/queries/browse'
import { getItem } from '@/db/queries/list'
import type { ListSource } from '@/db/queries/list-types'
import { TRANSACTION_TYPES } from '@/db/schema/transactions'
import { identifierOf } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
import { deskOf } from '@/lib/resources/desk'
import { Amount, Currency, FilterId } from '@/lib/resources/fields'
import { absent } from '../absent'
import { browseOperation } from '../browse'
import type { Context } from '../define'
import { detailFields, sourceFor } from '../details'
import { execute } from '../execute'
import { Day } from '../reports/fields'

/** The records of a kind that one page shows beside what they belong to. */
export const MOST_BESIDE = 25

export const IdInput = z.object({ id: FilterId.describe('As any list gives it') }).strict()

/** A record with everything that is stored of it, and what its list shows beside. */
export const recordSchema = (resource: Resource) => {
  const fields = Object.entries(deskOf(resource).fields).map(([field, { schema }]) => [field, schema])
  return resource.output.extend(detailFields(resource)).extend(Object.fromEntries(fields))
}

function recordSource(resource: Resource, actor: Context['actor']): ListSource {
  const source = sourceFor(resource, actor, 'details')
  const { fields } = deskOf(resource)
  const more = Object.entries(fields).map(([field, { sql, kind }]) => ({ field, column: sql, kind, nullable: true }))
  const columns = source.columns.filter(({ field }) => !(field in fields))
  return { ...source, variant: `${source.variant} desk`, columns: [...columns, ...more] }
}

const WithLinks = z.record(z.string(), z.unknown())
export type DeskRecord = z.output<typeof WithLinks>

/** Reads a record as {@link recordSchema} has it. @throws ServiceError `not_found` or `gone` */
export async function readRecord(
  db: Database,
  resource: Resource,
  { actor }: Context,
  id: string,
): Promise<DeskRecord> {
  const key = { contractorId: actor.contractorId, id }
  // What the clock changes of the invoices and estimates beside it is stored first.
  await recordsState(db, resource.source, actor.contractorId)
  const item = await getItem(db, recordSource(resource, actor), key)
  if (item === undefined) throw await absent(db, resource, key, `browse_${identifierOf(resource.name)}`)
  return WithLinks.parse(JSON.parse(item))
}

/** Reads what a record belongs to by an id in it; null where it has none. */
export async function readLinked(resource: Resource, ctx: Context, record: DeskRecord, field: string) {
  const id = record[field]
  return typeof id === 'string' ? await readRecord(await database(), resource, ctx, id) : null
}

/** The newest records of a kind beside one, with how many there are and their sums. */
export const besideSchema = (resource: Resource) =>
  browseOperation(resource).output.pick({ items: true, names: true, count: true, total: true })

/** Reads the newest records of a kind that belong to one. */
export async function readBeside(resource: Resource, ctx: Context, of: Record<string, string>) {
  const { sorts } = deskOf(resource)
  const sort = 'date' in sorts ? '-date' : '-updated'
  const { items, names, count, total } = await execute(browseOperation(resource), ctx, {
    ...of,
    sort,
    limit: MOST_BESIDE,
  })
  return { items, names, count, total }
}

/** A transaction as part of the story of an invoice or a payment. */
export const Transaction = z.object({
  id: z.string(),
  type: z.enum(TRANSACTION_TYPES),
  date: Day,
  amount: Amount.describe('A payment, credit or write-off takes it off what is owed; a refund or reversal adds it'),
  currency: Currency,
  method: z.string(),
  methodDetail: z.string().optional(),
  reference: z.string().optional(),
  paymentId: z.string().optional().describe('Of an allocation: the payment whose money it is'),
  invoiceId: z.string().optional(),
  invoiceNumber: z.string().optional(),
  otherCurrency: z.boolean().describe('Its invoice is in another currency, so it settles nothing'),
  ahead: z.boolean().describe('It counts from a later day on'),
})
export const Transactions = z.array(Transaction)
