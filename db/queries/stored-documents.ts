import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A stored invoice or payment as a file may state it again: its day, its amount without a sign, and all that it may be named to belong to. */
export type StoredDocument = { reference: string; number: string | null; day: string; amount: string; owners: string[] }

const TABLES = {
  invoices: sql`analytics_invoice_records`,
  payments: sql`analytics_revenue_transactions`,
}

/** Returns stored invoices or payments by their references. */
export async function storedDocuments(
  orm: Orm,
  contractorId: string,
  kind: keyof typeof TABLES,
  references: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const invoice = kind === 'payments' ? sql`left join analytics_invoice_records i on i.id = t.invoice_id` : sql``
  const date = kind === 'payments' ? sql`t.date` : sql`t.invoice_date`
  const number = kind === 'payments' ? sql`null` : sql`t.number`
  const named = kind === 'payments' ? sql`i.source_reference, i.number` : sql`null::text`
  const found = await rows<StoredDocument>(
    orm,
    sql`select r.reference, ${number} as number, to_char(${date} at time zone 'UTC', 'YYYY-MM-DD') as day, abs(t.amount)::text as amount,
        array_remove(array[u.source_reference, p.source_reference, ${named}]
          || array(select j.source_reference from users j where j.joined_to = u.id), null) as owners
      from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as r(reference)
      cross join lateral (select * from ${TABLES[kind]} where contractor_id = ${contractorId} and source_reference = r.reference limit 1) t
      left join users u on u.id = t.customer_id left join projects p on p.id = t.project_id ${invoice}`,
  )
  return new Map(found.map((each) => [each.reference, each]))
}

/** A stored invoice as a file may state it under another name of its customer: `owners` are the references of that customer. */
export type StoredInvoice = {
  reference: string
  number: string
  day: string
  amount: string
  name: string
  owners: string[]
}

/** Returns stored invoices by their numbers, twenty of each at most. */
export const invoicesNumbered = (
  orm: Orm,
  contractorId: string,
  numbers: readonly string[],
): Promise<StoredInvoice[]> =>
  rows<StoredInvoice>(
    orm,
    sql`select i.source_reference as reference, i.number, to_char(i.invoice_date at time zone 'UTC', 'YYYY-MM-DD') as day, abs(i.amount)::text as amount,
        u.name, array_remove(array[u.source_reference] || array(select j.source_reference from users j where j.joined_to = u.id), null) as owners
      from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) as n(number)
      cross join lateral (select * from analytics_invoice_records
        where (contractor_id || ':' || find_number(number)) collate "C" = ${contractorId} || ':' || find_number(n.number) limit 20) i
      join users u on u.id = i.customer_id where i.number = n.number and i.source_reference is not null`,
  )
