import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** Money of a customer that no invoice has used: a payment, or one that came back, less what of it was allocated. */
export type LooseMoney = {
  id: string
  customerId: string
  projectId: string
  /** True when a load put it into its customer's account, because its file names no invoice and no job. */
  isOfAccount: boolean
  type: 'payment_received' | 'reversal'
  reference: string
  /** The number that people know it by, such as a check's. */
  number: string | null
  currency: string
  date: string
  amount: string
  remaining: string
}

/**
 * An invoice that a payment may have paid: `capacity` is what of it no record pays; `isStated` where its file says what is open;
 * `settledAt` the day on which its file says that it was paid.
 */
export type OpenInvoice = {
  id: string
  customerId: string
  projectId: string
  reference: string | null
  currency: string
  date: string
  capacity: string
  isStated: boolean
  settledAt: string | null
}

/** A part of a payment for an invoice; negative for one that came back. */
export type Allocation = { payment: LooseMoney; invoice: OpenInvoice; cents: string }

/** The records that change what a customer owes or has paid, each by the index of what changed since a moment. */
export const CHANGED = {
  invoices: { table: 'analytics_invoice_records', only: sql`` },
  payments: { table: 'analytics_revenue_transactions', only: sql`and type = 'payment_received'` },
  returned: {
    table: 'analytics_revenue_transactions',
    only: sql`and type in ('adjustment', 'reversal', 'write_off') and type = 'reversal'`,
  },
} as const

/** Where a walk of changed records stands: behind this moment and id. */
export type Behind = { at: string; id: string }

/** Returns records that were written since a place, in their order, each with its customer. */
export const changedSince = (
  orm: Orm,
  contractorId: string,
  kind: keyof typeof CHANGED,
  { at, id }: Behind,
  most: number,
): Promise<{ id: string; at: string; customer: string }[]> =>
  rows<{ id: string; at: string; customer: string }>(
    orm,
    sql`select id, updated_at::text as at, customer_id as customer from ${sql.identifier(CHANGED[kind].table)}
      where contractor_id collate "C" = ${contractorId} and (updated_at, id) > (${at}::timestamptz, ${id}) ${CHANGED[kind].only}
      order by updated_at, id limit ${most}`,
  )

const texts = (values: readonly string[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`

/** Reports whether customers have paid something without an invoice. */
export async function haveLooseMoney(orm: Orm, contractorId: string, customers: readonly string[]): Promise<boolean> {
  const [row] = await rows<{ has: boolean }>(
    orm,
    sql`select exists (select 1 from analytics_revenue_transactions where contractor_id = ${contractorId}
      and customer_id = any(${texts(customers)}) and (invoice_id is null or mismatched) and source_reference is not null) as has`,
  )
  return row?.has === true
}

/** Returns what customers have paid without an invoice, the oldest first. */
export const looseMoney = (orm: Orm, contractorId: string, customers: readonly string[]): Promise<LooseMoney[]> =>
  rows<LooseMoney>(
    orm,
    sql`with loose as materialized (
        select t.* from analytics_revenue_transactions t
        where t.contractor_id = ${contractorId} and t.customer_id = any(${texts(customers)}) and (t.invoice_id is null or t.mismatched)
          and t.type in ('payment_received', 'reversal', 'allocation') and t.source_reference is not null),
      used as (select reference, sum(amount) as amount from loose where type = 'allocation' group by reference)
      select l.id, l.customer_id as "customerId", l.project_id as "projectId", starts_with(coalesce(p.source_reference, ''), 'account-') as "isOfAccount",
        l.type, l.source_reference as reference, l.reference as number, l.currency, l.date::text as date, l.amount::text as amount,
        (l.amount + case l.type when 'reversal' then -1 else 1 end * coalesce(u.amount, 0))::text as remaining
      from loose l join projects p on p.id = l.project_id left join used u on u.reference = l.source_reference
      where l.type <> 'allocation' and not l.mismatched order by l.date, l.source_reference`,
  )

/** Returns invoices of customers of which records leave something to pay, the oldest first. */
export const openInvoices = (orm: Orm, contractorId: string, customers: readonly string[]): Promise<OpenInvoice[]> =>
  rows<OpenInvoice>(
    orm,
    sql`select id, customer_id as "customerId", project_id as "projectId", source_reference as reference, currency, invoice_date::text as date,
        capacity::text as capacity, stated is not null as "isStated", settled_at::text as "settledAt"
      from (select i.*, coalesce(stated_balance, case when settled_at is not null then 0 end) as stated,
          amount - credited_amount - written_off_amount - paid_amount - pending_amount - coalesce(stated_balance, 0) as capacity
        from analytics_invoice_records i where contractor_id = ${contractorId} and customer_id = any(${texts(customers)}) and amount > 0) i
      where capacity > 0 order by invoice_date, id`,
  )

/** Returns invoices that payments of these customers paid, by the payment's number and amount, for payments that came back. */
export const paidBy = (
  orm: Orm,
  contractorId: string,
  returned: readonly LooseMoney[],
): Promise<{ reversal: string; invoice: OpenInvoice }[]> =>
  rows<{ reversal: string; invoice: OpenInvoice }>(
    orm,
    sql`select distinct on (r.id) r.id as reversal, json_build_object('id', i.id, 'customerId', i.customer_id, 'projectId', i.project_id,
        'reference', i.source_reference, 'currency', i.currency, 'date', i.invoice_date::text, 'capacity', t.amount::text, 'isStated', false, 'settledAt', null) as invoice
      from jsonb_to_recordset(${JSON.stringify(returned)}::jsonb) as r(id text, "customerId" text, amount numeric, number text, date timestamptz, currency text)
      join analytics_revenue_transactions t on t.contractor_id = ${contractorId} and t.customer_id = r."customerId" and t.type = 'payment_received'
        and t.amount = r.amount and t.currency = r.currency and t.date <= r.date and t.invoice_id is not null and not t.mismatched
      join analytics_invoice_records i on i.id = t.invoice_id
      order by r.id, t.reference is not distinct from r.number desc, t.date desc`,
  )

/** Takes back what was allocated to invoices of customers that are paid beyond what their files leave open. */
export async function takeBackOverpaid(orm: Orm, contractorId: string, customers: readonly string[]): Promise<void> {
  await orm.execute(
    sql`delete from analytics_revenue_transactions where contractor_id = ${contractorId} and type = 'allocation' and reference = any(array(
        select t.reference from analytics_invoice_records i
        join analytics_revenue_transactions t on t.invoice_id = i.id and t.type = 'allocation' and t.amount > 0
        where i.contractor_id = ${contractorId} and i.customer_id = any(${texts(customers)}) and i.amount > 0
          and i.paid_amount + i.pending_amount > i.amount - i.credited_amount - i.written_off_amount - coalesce(i.stated_balance, 0)))`,
  )
}

/**
 * Writes allocations: on each invoice its part, and on the payment's own project the same with a minus, so that they add up to nothing.
 * They have the payment's day, and count from the invoice's where that is later (`keep_mismatched`).
 */
export async function putAllocations(
  orm: Orm,
  contractorId: string,
  allocations: readonly Allocation[],
  idOf: () => string,
): Promise<void> {
  if (allocations.length === 0) return
  const parts = allocations.flatMap(({ payment, invoice, cents }) => {
    const shared = {
      customer: payment.customerId,
      currency: payment.currency,
      day: payment.date,
      reference: payment.reference,
      of: payment.id,
    }
    const key = `allocation ${payment.reference} ${invoice.id}`
    return [
      { ...shared, id: idOf(), key, project: invoice.projectId, invoice: invoice.id, cents },
      {
        ...shared,
        id: idOf(),
        key: `${key} from`,
        project: payment.projectId,
        invoice: null,
        cents: cents.startsWith('-') ? cents.slice(1) : `-${cents}`,
      },
    ]
  })
  await orm.execute(
    sql`insert into analytics_revenue_transactions
        (id, contractor_id, project_id, customer_id, invoice_id, source_reference, type, amount, currency, date, method, method_detail, reference)
      select p.id, ${contractorId}, p.project, p.customer, p.invoice, p.key, 'allocation', p.cents::numeric / 100, p.currency, p.day, t.method, t.method_detail, p.reference
      from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as p(id text, project text, customer text, invoice text, key text, cents bigint,
        currency text, day timestamptz, reference text, "of" text)
      cross join lateral (select method, method_detail from analytics_revenue_transactions where id = p."of" limit 1) t
      on conflict (contractor_id, source_reference) do update set amount = analytics_revenue_transactions.amount + excluded.amount, date = excluded.date`,
  )
}
