import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { day, dayOf, figures, list, ranking, subject, uniqueNames, within } from './truths'

const today = (books: Books) => sql`${books.today}::date`
const PAID_ON = dayOf(sql`t.date`)
const came = (books: Books) => sql`t.contractor_id = ${books.contractorId} and t.type = 'payment_received'`
const sent = (books: Books) => sql`e.contractor_id = ${books.contractorId}`
/** Reports whether a sent estimate still stands: what is past its last day is expired. */
const stands = (books: Books) =>
  sql`e.stated_status = 'sent' and (e.valid_until is null or ${dayOf(sql`e.valid_until`)} >= ${today(books)})`

/** Questions about payments. */
export const payments: readonly Question[] = [
  {
    id: 'who-paid-this-week',
    topic: 'payments',
    put: async (books) => ({
      text: 'Which customers paid us this week?',
      truth: await list(
        books,
        sql`select distinct array[u.name, u.id] as names from analytics_revenue_transactions t join users u on u.id = t.customer_id
          where ${came(books)} and ${within(PAID_ON, 'week', today(books))}`,
      ),
    }),
  },
  {
    id: 'received-last-month',
    topic: 'payments',
    put: async (books) => ({
      text: 'How much money did we receive last month?',
      truth: await figures(
        books,
        sql`select sum(t.amount)::float8 as received from analytics_revenue_transactions t
          where ${came(books)} and ${within(PAID_ON, 'month', sql`date_trunc('month', ${today(books)}) - interval '1 month'`)}`,
      ),
    }),
  },
  {
    id: 'net-this-quarter',
    topic: 'payments',
    put: async (books) => ({
      text: 'What did we receive this quarter up to today, what did we refund, and what is the net?',
      truth: await figures(
        books,
        sql`select sum(case t.type when 'refund' then 0 else t.amount end)::float8 as received,
          sum(case t.type when 'refund' then t.amount else 0 end)::float8 as refunded,
          sum(case t.type when 'refund' then -t.amount else t.amount end)::float8 as net
          from analytics_revenue_transactions t where t.contractor_id = ${books.contractorId} and t.type in ('payment_received', 'refund')
          and ${within(PAID_ON, 'quarter', today(books))} and ${PAID_ON} <= ${today(books)}`,
      ),
    }),
  },
  {
    id: 'last-payment-of-customer',
    topic: 'payments',
    put: async (books) => {
      const { id, name } = await subject(
        books,
        sql`select u.id, u.name from analytics_revenue_transactions t join users u on u.id = t.customer_id
          where ${came(books)} and u.name in ${uniqueNames(books)} group by u.id having count(*) between 4 and 8
          order by max(t.date) desc, u.id limit 1`,
      )
      return {
        text: `When was the last payment from ${name}?`,
        truth: await day(
          books,
          sql`select max(${PAID_ON})::text as day from analytics_revenue_transactions t where ${came(books)} and t.customer_id = ${id}`,
        ),
      }
    },
  },
  {
    id: 'payment-by-reference',
    topic: 'payments',
    put: async (books) => {
      const { id, reference } = await subject(
        books,
        sql`select t.id, t.reference from analytics_revenue_transactions t where ${came(books)} and t.reference like 'CHK %'
          and (select count(*) from analytics_revenue_transactions s where s.reference = t.reference) = 1 order by t.date desc, t.id limit 1`,
      )
      return {
        text: `How much was the payment with the reference "${reference}"?`,
        truth: await figures(
          books,
          sql`select amount::float8 as amount from analytics_revenue_transactions where id = ${id}`,
        ),
      }
    },
  },
  {
    id: 'biggest-payment',
    topic: 'payments',
    put: async (books) => ({
      text: 'What was the amount of the biggest payment this year?',
      truth: await figures(
        books,
        sql`select max(t.amount)::float8 as amount from analytics_revenue_transactions t
          where ${came(books)} and ${within(PAID_ON, 'year', today(books))}`,
      ),
    }),
  },
  {
    id: 'payments-last-month',
    topic: 'payments',
    put: async (books) => ({
      text: 'How many payments came in last month?',
      truth: await figures(
        books,
        sql`select count(*)::int as payments from analytics_revenue_transactions t
          where ${came(books)} and ${within(PAID_ON, 'month', sql`date_trunc('month', ${today(books)}) - interval '1 month'`)}`,
      ),
    }),
  },
]

/** Estimates that were sent. */
export const estimates: readonly Question[] = [
  {
    id: 'estimates-waiting',
    topic: 'estimates',
    put: async (books) => ({
      text: 'Which estimates that were sent are over $30,000 and still waiting for an answer?',
      truth: await list(
        books,
        sql`select array[e.number, e.id] as names from estimates e where ${sent(books)} and ${stands(books)} and e.amount > 30000`,
      ),
    }),
  },
  {
    id: 'estimates-waiting-total',
    topic: 'estimates',
    put: async (books) => ({
      text: 'How many estimates are sent and not answered, and what do they add up to?',
      truth: await figures(
        books,
        sql`select count(*)::int as estimates, sum(e.amount)::float8 as total from estimates e where ${sent(books)} and ${stands(books)}`,
      ),
    }),
  },
  {
    id: 'declined-this-year',
    topic: 'estimates',
    put: async (books) => ({
      text: 'How many estimates dated this year were declined?',
      truth: await figures(
        books,
        sql`select count(*)::int as "declined estimates" from estimates e where ${sent(books)} and e.stated_status = 'declined'
          and ${within(dayOf(sql`e.estimate_date`), 'year', today(books))}`,
      ),
    }),
  },
  {
    id: 'biggest-estimate',
    topic: 'estimates',
    put: async (books) => ({
      text: 'Which is the biggest accepted estimate of this year?',
      truth: await ranking(
        books,
        sql`select array[e.number, e.id] as names from estimates e where ${sent(books)} and e.stated_status = 'accepted'
          and ${within(dayOf(sql`e.estimate_date`), 'year', today(books))} order by e.amount desc limit 1`,
      ),
    }),
  },
  {
    id: 'estimate-expires',
    topic: 'estimates',
    put: async (books) => {
      const { id, number } = await subject(
        books,
        sql`select e.id, e.number from estimates e where ${sent(books)} and e.valid_until is not null order by e.estimate_date desc, e.number limit 1`,
      )
      return {
        text: `Until when is estimate ${number} valid?`,
        truth: await day(books, sql`select ${dayOf(sql`valid_until`)}::text as day from estimates where id = ${id}`),
      }
    },
  },
  {
    id: 'quoted-customer',
    topic: 'estimates',
    put: async (books) => {
      const { id, name } = await subject(
        books,
        sql`select u.id, u.name from estimates e join users u on u.id = e.customer_id where ${sent(books)} and u.name in ${uniqueNames(books)}
          group by u.id having count(*) = 1 order by max(e.estimate_date) desc, u.id offset 3 limit 1`,
      )
      return {
        text: `What was the amount of the estimate for ${name}?`,
        truth: await figures(books, sql`select amount::float8 as amount from estimates where customer_id = ${id}`),
      }
    },
  },
]
