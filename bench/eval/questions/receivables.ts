import { sql } from 'drizzle-orm'
import type { Question } from '../question'
import {
  DUE,
  day,
  figures,
  isLate,
  isOpen,
  isUnpaid,
  list,
  nothingAhead,
  ranking,
  subject,
  UNPAID,
  uniqueNames,
} from './truths'

/** Questions on who owes what, since when. */
export const receivables: readonly Question[] = [
  {
    id: 'owes-most',
    topic: 'receivables',
    put: async (books) => ({
      text: 'Who owes me the most? The top five customers.',
      truth: await ranking(
        books,
        sql`select array[u.name, u.id] as names from analytics_invoice_records i join users u on u.id = i.customer_id
          where ${isOpen(books)} group by u.id order by sum(${UNPAID}) desc limit 5`,
      ),
    }),
  },
  {
    id: 'most-overdue',
    topic: 'receivables',
    put: async (books) => ({
      text: 'Which three customers have the most overdue?',
      truth: await ranking(
        books,
        sql`select array[u.name, u.id] as names from analytics_invoice_records i join users u on u.id = i.customer_id
          where ${isOpen(books)} and ${isLate(books)} group by u.id order by sum(${UNPAID}) desc limit 3`,
      ),
    }),
  },
  {
    id: 'owed-in-all',
    topic: 'receivables',
    put: async (books) => ({
      text: 'How much do customers owe me in all, and how much of it is overdue?',
      truth: await figures(
        books,
        sql`select sum(${UNPAID})::float8 as "owed in all", (sum(${UNPAID}) filter (where ${isLate(books)}))::float8 as overdue
          from analytics_invoice_records i where ${isOpen(books)}`,
      ),
    }),
  },
  {
    id: 'over-90-days',
    topic: 'receivables',
    put: async (books) => ({
      text: 'How much of what customers owe is over 90 days late?',
      truth: await figures(
        books,
        sql`select coalesce(sum(${UNPAID}), 0)::float8 as "over 90 days" from analytics_invoice_records i
          where ${isOpen(books)} and ${books.today}::date - ${DUE} > 90`,
      ),
    }),
  },
  {
    id: 'not-paid-since',
    topic: 'receivables',
    put: async (books) => ({
      text: 'Which customers owe over $20,000 and have not paid since September 1?',
      truth: await list(
        books,
        sql`select array[u.name, u.id] as names from analytics_invoice_records i join users u on u.id = i.customer_id
          where ${isOpen(books)} and not exists (select from analytics_revenue_transactions t where t.customer_id = u.id
            and t.type = 'payment_received'
            and t.date >= ((select max(y) from generate_series('2020-09-01'::timestamp, ${books.today}::timestamp, '1 year') y) at time zone 'UTC'))
          group by u.id having sum(${UNPAID}) > 20000`,
      ),
    }),
  },
  {
    id: 'overdue-big',
    topic: 'receivables',
    put: async (books) => ({
      text: 'Which overdue invoices are over $15,000?',
      truth: await list(
        books,
        sql`select array[i.number, i.id] as names from analytics_invoice_records i where ${isOpen(books)} and ${isLate(books)} and i.amount > 15000`,
      ),
    }),
  },
  {
    id: 'overdue-names',
    topic: 'receivables',
    put: async (books) => ({
      text: 'Which customers have invoices that are overdue and were due this month?',
      truth: await list(
        books,
        sql`select distinct array[u.name, u.id] as names from analytics_invoice_records i join users u on u.id = i.customer_id
          where ${isOpen(books)} and ${isLate(books)} and ${DUE} >= date_trunc('month', ${books.today}::date)::date`,
      ),
    }),
  },
  {
    id: 'overdue-count',
    topic: 'receivables',
    put: async (books) => ({
      text: 'How many invoices are overdue?',
      truth: await figures(
        books,
        sql`select count(*)::int as "overdue invoices" from analytics_invoice_records i where ${isOpen(books)} and ${isLate(books)}`,
      ),
    }),
  },
  {
    id: 'due-next-7-days',
    topic: 'receivables',
    put: async (books) => ({
      text: 'Which unpaid invoices are due in the next 7 days?',
      truth: await list(
        books,
        sql`select array[i.number, i.id] as names from analytics_invoice_records i
          where ${isUnpaid(books)} and ${DUE} between ${books.today}::date and ${books.today}::date + 7`,
      ),
    }),
  },
  {
    id: 'oldest-unpaid',
    topic: 'receivables',
    put: async (books) => ({
      text: 'When was the oldest unpaid invoice due?',
      truth: await day(
        books,
        sql`select min(${DUE})::text as day from analytics_invoice_records i where ${isOpen(books)}`,
      ),
    }),
  },
  {
    id: 'customer-owes',
    topic: 'receivables',
    put: async (books) => {
      const { id, name } = await subject(
        books,
        sql`select u.id, u.name from analytics_invoice_records i join users u on u.id = i.customer_id
          where ${isOpen(books)} and u.name in ${uniqueNames(books)} and ${nothingAhead(books, sql`u.id`)}
          group by u.id having count(distinct i.project_id) > 1 order by sum(${UNPAID}) desc limit 1`,
      )
      return {
        text: `How much does ${name} still owe us?`,
        truth: await figures(
          books,
          sql`select sum(${UNPAID})::float8 as unpaid from analytics_invoice_records i where ${isOpen(books)} and i.customer_id = ${id}`,
        ),
      }
    },
  },
]
