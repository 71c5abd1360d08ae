import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { dayOf, figures, INVOICED, isOpen, list, UNPAID, within } from './truths'

const today = (books: Books) => sql`${books.today}::date`
const monday = (books: Books) => sql`date_trunc('week', ${today(books)}::timestamp)::date`
const monthBefore = (books: Books) => sql`(date_trunc('month', ${today(books)}) - interval '1 month')`
const PAID_ON = dayOf(sql`t.date`)
const mine = (books: Books) => sql`t.contractor_id = ${books.contractorId}`
const DECKS = sql`(select percentile_cont(0.5) within group (order by issued_date - applied_date) as p50 from permits
  where jurisdiction_id = 'us-zz-demonstration' and permit_type ilike '%deck%' and issued_date >= applied_date and applied_date is not null)`

/** Questions whose easy answer is another one's: of the whole ledger, of the load's moment, of a customer with the same number. */
export const misleading: readonly Question[] = [
  {
    id: 'paid-since-monday',
    topic: 'payments',
    put: async (books) => ({
      text: 'How much money was received since Monday, and how many payments were that?',
      truth: await figures(
        books,
        sql`select coalesce(sum(t.amount), 0)::float8 as "amount received", count(*)::int as payments from analytics_revenue_transactions t
          where ${mine(books)} and t.type = 'payment_received' and ${PAID_ON} between ${monday(books)} and ${today(books)}`,
      ),
    }),
  },
  {
    id: 'received-and-refunded',
    topic: 'payments',
    put: async (books) => ({
      text: 'How much was received last month, how much of it was refunded, and what is the net?',
      truth: await figures(
        books,
        sql`select (sum(t.amount) filter (where t.type = 'payment_received'))::float8 as received,
            coalesce(sum(t.amount) filter (where t.type = 'refund'), 0)::float8 as refunded,
            sum(case t.type when 'payment_received' then t.amount when 'refund' then -t.amount when 'reversal' then -t.amount else 0 end)::float8 as net
          from analytics_revenue_transactions t where ${mine(books)} and ${within(PAID_ON, 'month', monthBefore(books))}`,
      ),
    }),
  },
  {
    id: 'owed-by-silent',
    topic: 'receivables',
    put: async (books) => ({
      text: 'How much do customers owe in all who have not paid since September 1?',
      truth: await figures(
        books,
        sql`select sum(${UNPAID})::float8 as "owed in all" from analytics_invoice_records i where ${isOpen(books)}
          and not exists (select from analytics_revenue_transactions t where t.customer_id = i.customer_id and t.type = 'payment_received'
            and t.date >= ((select max(y) from generate_series('2020-09-01'::timestamp, ${books.today}::timestamp, '1 year') y) at time zone 'UTC')
            and ${PAID_ON} <= ${today(books)})`,
      ),
    }),
  },
  {
    id: 'left-to-bill',
    topic: 'billing',
    put: async (books) => ({
      text: 'What is left to bill in all of the contracts of projects in progress?',
      truth: await figures(
        books,
        sql`select sum(p.total_amount - b.billed)::float8 as "left to bill" from projects p cross join lateral (
            select coalesce(sum(i.amount), 0) as billed from analytics_invoice_records i
            where i.project_id = p.id and ${INVOICED} <= ${today(books)}) b
          where p.contractor_id = ${books.contractorId} and p.status = 'in_progress' and p.total_amount > b.billed`,
      ),
    }),
  },
  {
    id: 'billed-for-gutters',
    topic: 'billing',
    put: async (books) => ({
      text: 'How much was invoiced for gutter projects this year?',
      truth: await figures(
        books,
        sql`select coalesce(sum(i.amount), 0)::float8 as "amount invoiced" from analytics_invoice_records i join projects p on p.id = i.project_id
          join users u on u.id = p.customer_id where i.contractor_id = ${books.contractorId} and p.name ~* '\\mgutters?\\M'
          and ${within(INVOICED, 'year', today(books))}`,
      ),
    }),
  },
  {
    id: 'who-wrote',
    topic: 'leads',
    put: async (books) => ({
      text: 'What is the email of whoever wrote the newest lead from the website?',
      truth: {
        kind: 'text',
        said: (
          await books.read<{ email: string }>(
            sql`select l.email from leads l where l.contractor_id = ${books.contractorId} and l.lead_source ilike '%website%'
              order by l.received_at desc limit 1`,
          )
        ).map(({ email }) => email),
      },
    }),
  },
  {
    id: 'open-leads-count',
    topic: 'leads',
    put: async (books) => ({
      text: 'How many leads are open?',
      truth: await figures(
        books,
        sql`select count(*)::int as "open leads" from projects p where p.contractor_id = ${books.contractorId} and p.status in ('lead', 'estimate')`,
      ),
    }),
  },
  {
    id: 'deck-permit-days',
    topic: 'permits',
    put: async (books) => ({
      text: 'How many days does a deck permit usually take in us-zz-demonstration, at the median (p50)?',
      truth: await figures(books, sql`select p50::float8 as "days at the median" from ${DECKS} d`),
    }),
  },
  {
    id: 'cheapest-ridge-cap',
    topic: 'materials',
    put: async (books) => ({
      text: 'Which supplier has the cheapest ridge cap?',
      truth: {
        kind: 'text',
        said: (
          await books.read<{ supplier: string }>(
            sql`select supplier from (select distinct on (supplier) supplier, unit_cost from material_prices
                where contractor_id = ${books.contractorId} and item_key = 'ridge-cap' and observed_on between ${today(books)} - 180 and ${today(books)}
                order by supplier, observed_on desc) s order by unit_cost limit 1`,
          )
        ).map(({ supplier }) => supplier),
      },
    }),
  },
  {
    id: 'jobs-of-a-lead-source',
    topic: 'leads',
    put: async (books) => ({
      text: 'Which open leads came in by the website?',
      truth: await list(
        books,
        sql`select array[u.name, u.id, p.id, l.first_name || ' ' || l.last_name, p.name] as names from leads l join projects p on p.id = l.project_id
          join users u on u.id = p.customer_id where l.contractor_id = ${books.contractorId} and l.lead_source ilike '%website%'
          and p.status in ('lead', 'estimate')`,
      ),
    }),
  },
]
