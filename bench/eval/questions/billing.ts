import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { DUE, day, figures, INVOICED, lastMonth, list, ranking, subject, within } from './truths'

const mine = (books: Books) => sql`i.contractor_id = ${books.contractorId}`
const today = (books: Books) => sql`${books.today}::date`

/** Questions about what was billed, by period, customer and number. */
export const billing: readonly Question[] = [
  {
    id: 'billed-in-september',
    topic: 'billing',
    put: async (books) => ({
      text: 'What did I bill in September?',
      truth: await figures(
        books,
        sql`select coalesce(sum(i.amount), 0)::float8 as billed from analytics_invoice_records i
          where ${mine(books)} and ${within(INVOICED, 'month', lastMonth(books, 9))}`,
      ),
    }),
  },
  {
    id: 'quarter-against-last',
    topic: 'billing',
    put: async (books) => ({
      text: 'What did we bill this quarter up to today, and what in the whole quarter before?',
      truth: await figures(
        books,
        sql`select (sum(i.amount) filter (where ${within(INVOICED, 'quarter', today(books))} and ${INVOICED} <= ${today(books)}))::float8 as "this quarter",
          (sum(i.amount) filter (where ${within(INVOICED, 'quarter', sql`${today(books)} - interval '3 months'`)}))::float8 as "quarter before"
          from analytics_invoice_records i where ${mine(books)}`,
      ),
    }),
  },
  {
    id: 'billed-this-year',
    topic: 'billing',
    put: async (books) => ({
      text: 'How much have we invoiced this year up to today?',
      truth: await figures(
        books,
        sql`select sum(i.amount)::float8 as invoiced from analytics_invoice_records i
          where ${mine(books)} and ${within(INVOICED, 'year', today(books))} and ${INVOICED} <= ${today(books)}`,
      ),
    }),
  },
  {
    id: 'best-month',
    topic: 'billing',
    put: async (books) => ({
      text: 'In which month of this year did we invoice the most?',
      truth: await ranking(
        books,
        sql`select array[to_char(${INVOICED}, 'YYYY-MM'), to_char(${INVOICED}, 'FMMonth'), to_char(${INVOICED}, 'FMMonth YYYY')] as names
          from analytics_invoice_records i where ${mine(books)} and ${within(INVOICED, 'year', today(books))} and ${INVOICED} <= ${today(books)}
          group by 1 order by sum(i.amount) desc limit 1`,
      ),
    }),
  },
  {
    id: 'best-customers',
    topic: 'billing',
    put: async (books) => ({
      text: 'Who were our five best customers last year by what we invoiced?',
      truth: await ranking(
        books,
        sql`select array[u.name, u.id] as names from analytics_invoice_records i join users u on u.id = i.customer_id
          where ${mine(books)} and ${within(INVOICED, 'year', sql`${today(books)} - interval '1 year'`)} group by u.id order by sum(i.amount) desc limit 5`,
      ),
    }),
  },
  {
    id: 'invoice-amount',
    topic: 'billing',
    put: async (books) => {
      const { id, number } = await subject(
        books,
        sql`select i.id, i.number from analytics_invoice_records i where ${mine(books)} order by ${INVOICED}, i.number offset 20 limit 1`,
      )
      return {
        text: `How much is invoice ${number}?`,
        truth: await figures(
          books,
          sql`select amount::float8 as amount from analytics_invoice_records where id = ${id}`,
        ),
      }
    },
  },
  {
    id: 'invoice-due',
    topic: 'billing',
    put: async (books) => {
      const { id, number } = await subject(
        books,
        sql`select i.id, i.number from analytics_invoice_records i where ${mine(books)} and ${DUE} > ${today(books)} order by ${DUE}, i.number limit 1`,
      )
      return {
        text: `When is invoice ${number} due?`,
        truth: await day(books, sql`select ${DUE}::text as day from analytics_invoice_records i where i.id = ${id}`),
      }
    },
  },
  {
    id: 'biggest-invoices',
    topic: 'billing',
    put: async (books) => ({
      text: 'What are the five biggest invoices of last month?',
      truth: await ranking(
        books,
        sql`select array[i.number, i.id] as names from analytics_invoice_records i
          where ${mine(books)} and ${within(INVOICED, 'month', sql`${today(books)} - interval '1 month'`)} order by i.amount desc limit 5`,
      ),
    }),
  },
  {
    id: 'under-billed',
    topic: 'billing',
    put: async (books) => ({
      text: 'Which three projects in progress have the most left to bill of their contract?',
      truth: await ranking(
        books,
        sql`select array[p.id, p.name] as names from projects p where p.contractor_id = ${books.contractorId} and p.status = 'in_progress'
          order by p.total_amount - coalesce((select sum(i.amount) from analytics_invoice_records i where i.project_id = p.id), 0) desc, p.id limit 3`,
      ),
    }),
  },
  {
    id: 'future-invoices',
    topic: 'billing',
    put: async (books) => ({
      text: 'How many future invoices are there, and what do they add up to?',
      truth: await figures(
        books,
        sql`select count(*)::int as "future invoices", coalesce(sum(i.amount), 0)::float8 as total from analytics_invoice_records i
          where ${mine(books)} and i.open_amount > 0 and ${INVOICED} > ${books.today}::date`,
      ),
    }),
  },
  {
    id: 'invoices-of-customer',
    topic: 'billing',
    put: async (books) => {
      const { id, name } = await subject(
        books,
        sql`select u.id, u.name from analytics_invoice_records i join users u on u.id = i.customer_id where ${mine(books)}
          and u.name not in (select name from users where contractor_id = ${books.contractorId} group by name having count(*) > 1)
          group by u.id having count(*) between 5 and 9 order by max(i.invoice_date) desc, u.id limit 1`,
      )
      return {
        text: `Which invoices did we send ${name}?`,
        truth: await list(
          books,
          sql`select array[number, id] as names from analytics_invoice_records where customer_id = ${id}`,
        ),
      }
    },
  },
]
