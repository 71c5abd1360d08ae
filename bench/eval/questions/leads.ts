import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { dayOf, figures, list, ranking, within } from './truths'

const today = (books: Books) => sql`${books.today}::date`
const CAME_ON = dayOf(sql`l.received_at`)
const mine = (books: Books) => sql`l.contractor_id = ${books.contractorId}`
const NAMES = sql`array[u.name, u.id, p.id, l.first_name || ' ' || l.last_name, p.name] as names`
const LEADS = sql`leads l join projects p on p.id = l.project_id join users u on u.id = p.customer_id`
const WON = sql`p.status in ('scheduled', 'in_progress', 'on_hold', 'completed')`
const monthBefore = (books: Books) => sql`date_trunc('month', ${today(books)}) - interval '1 month'`

/** Questions about the sources of leads and their outcomes. */
export const leads: readonly Question[] = [
  {
    id: 'google-leads',
    topic: 'leads',
    put: async (books) => ({
      text: 'Which Google leads came in last month?',
      truth: await list(
        books,
        sql`select ${NAMES} from ${LEADS} where ${mine(books)} and (l.source ilike '%google%' or l.lead_source ilike '%google%')
          and ${within(CAME_ON, 'month', monthBefore(books))}`,
      ),
    }),
  },
  {
    id: 'leads-won',
    topic: 'leads',
    put: async (books) => ({
      text: 'Which leads that came in the last 60 days were won?',
      truth: await list(
        books,
        sql`select ${NAMES} from ${LEADS} where ${mine(books)} and ${WON} and ${CAME_ON} between ${today(books)} - 60 and ${today(books)}`,
      ),
    }),
  },
  {
    id: 'leads-lost',
    topic: 'leads',
    put: async (books) => ({
      text: 'Which leads that came in this year were lost?',
      truth: await list(
        books,
        sql`select ${NAMES} from ${LEADS} where ${mine(books)} and p.status = 'cancelled' and ${within(CAME_ON, 'year', today(books))}`,
      ),
    }),
  },
  {
    id: 'leads-this-year',
    topic: 'leads',
    put: async (books) => ({
      text: 'How many leads came in this year, and how many of them were won?',
      truth: await figures(
        books,
        sql`select count(*)::int as leads, (count(*) filter (where ${WON}))::int as won from ${LEADS}
          where ${mine(books)} and ${within(CAME_ON, 'year', today(books))} and ${CAME_ON} <= ${today(books)}`,
      ),
    }),
  },
  {
    id: 'leads-by-source',
    topic: 'leads',
    put: async (books) => ({
      text: 'How many leads came from Angi in the last 90 days?',
      truth: await figures(
        books,
        sql`select count(*)::int as "Angi leads" from ${LEADS} where ${mine(books)} and l.source_category = 'angi'
          and ${CAME_ON} between ${today(books)} - 90 and ${today(books)}`,
      ),
    }),
  },
  {
    id: 'best-source',
    topic: 'leads',
    put: async (books) => ({
      text: 'Which source brought the most leads in the last 90 days?',
      truth: await ranking(
        books,
        sql`select array_agg(c) || array_agg(replace(c, '_', ' ')) as names from (select l.source_category as c, count(*) as n from ${LEADS} where ${mine(books)}
          and ${CAME_ON} between ${today(books)} - 90 and ${today(books)} group by 1) s group by n order by n desc limit 1`,
      ),
    }),
  },
  {
    id: 'open-leads',
    topic: 'leads',
    put: async (books) => ({
      text: 'How many projects are in status lead?',
      truth: await figures(
        books,
        sql`select count(*)::int as "projects in status lead" from projects p where p.contractor_id = ${books.contractorId} and p.status = 'lead'`,
      ),
    }),
  },
]
