import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { figures, list, ranking, within } from './truths'

const mine = (books: Books) => sql`p.contractor_id = ${books.contractorId}`
const today = (books: Books) => sql`${books.today}::date`
const NAMES = sql`array[p.id, p.name] as names`

/** Questions on what starts, runs and finishes. */
export const schedule: readonly Question[] = [
  {
    id: 'starts-next-week',
    topic: 'schedule',
    put: async (books) => ({
      text: 'Which jobs start next week?',
      truth: await list(
        books,
        sql`select ${NAMES} from projects p where ${mine(books)} and ${within(sql`p.start_date`, 'week', sql`${today(books)} + interval '7 days'`)}`,
      ),
    }),
  },
  {
    id: 'starts-next-month',
    topic: 'schedule',
    put: async (books) => ({
      text: 'Which scheduled projects start next month?',
      truth: await list(
        books,
        sql`select ${NAMES} from projects p where ${mine(books)} and p.status = 'scheduled'
          and ${within(sql`p.start_date`, 'month', sql`date_trunc('month', ${today(books)}) + interval '1 month'`)}`,
      ),
    }),
  },
  {
    id: 'next-start',
    topic: 'schedule',
    put: async (books) => ({
      text: 'Which scheduled project starts first from today on?',
      truth: await ranking(
        books,
        sql`select array_agg(p.id) || array_agg(p.name) as names from projects p where ${mine(books)} and p.status = 'scheduled'
          and p.start_date >= ${today(books)} group by p.start_date order by p.start_date limit 1`,
      ),
    }),
  },
  {
    id: 'completed-this-year',
    topic: 'schedule',
    put: async (books) => ({
      text: 'How many jobs did we complete this year?',
      truth: await figures(
        books,
        sql`select count(*)::int as "completed jobs" from projects p where ${mine(books)} and p.status = 'completed'
          and ${within(sql`p.end_date`, 'year', today(books))}`,
      ),
    }),
  },
  {
    id: 'completed-last-month',
    topic: 'schedule',
    put: async (books) => ({
      text: 'Which projects were completed last month?',
      truth: await list(
        books,
        sql`select ${NAMES} from projects p where ${mine(books)} and p.status = 'completed'
          and ${within(sql`p.end_date`, 'month', sql`date_trunc('month', ${today(books)}) - interval '1 month'`)}`,
      ),
    }),
  },
  {
    id: 'in-progress-count',
    topic: 'schedule',
    put: async (books) => ({
      text: 'How many projects are in progress, and what are their contracts worth in total?',
      truth: await figures(
        books,
        sql`select count(*)::int as projects, sum(p.total_amount)::float8 as "total worth" from projects p where ${mine(books)} and p.status = 'in_progress'`,
      ),
    }),
  },
  {
    id: 'on-hold',
    topic: 'schedule',
    put: async (books) => ({
      text: 'Which projects are on hold?',
      truth: await list(books, sql`select ${NAMES} from projects p where ${mine(books)} and p.status = 'on_hold'`),
    }),
  },
]
