import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { figures, subject, uniqueNames } from './truths'

/** The unit cost of each item: the median of every supplier's newest price of the last 180 days, to four decimals. */
const COSTS = (
  books: Books,
) => sql`(select item_key, round((percentile_cont(0.5) within group (order by unit_cost::float8))::numeric, 4) as cost from
  (select distinct on (item_key, supplier) item_key, unit_cost from material_prices
    where contractor_id = ${books.contractorId} and observed_on > ${books.today}::date - 180
    order by item_key, supplier, observed_on desc) newest group by item_key)`

/** The newest project whose list of materials is loaded and priced whole, of a customer with one project and a name of their own. */
const listedProject = (books: Books) =>
  subject(
    books,
    sql`select p.id, u.name from project_materials m join projects p on p.id = m.project_id join users u on u.id = p.customer_id
      left join ${COSTS(books)} c on c.item_key = m.item_key
      where p.contractor_id = ${books.contractorId} and u.name in ${uniqueNames(books)}
      and (select count(*) from projects q where q.customer_id = u.id) = 1
      group by p.id, u.name having count(*) = count(c.cost) order by p.id desc limit 1`,
  )

const materialsOf = (
  books: Books,
  id: string | undefined,
) => sql`(select sum(round(m.quantity * c.cost, 2)) from project_materials m
  join ${COSTS(books)} c on c.item_key = m.item_key where m.project_id = ${id})`

/** Questions about project costs and margins. */
export const margins: readonly Question[] = [
  {
    id: 'materials-of-project',
    topic: 'margins',
    put: async (books) => {
      const { id, name } = await listedProject(books)
      return {
        text: `Price the list of materials of the ${name} project. What is the total expected?`,
        truth: await figures(books, sql`select ${materialsOf(books, id)}::float8 as "total expected"`),
      }
    },
  },
  {
    id: 'margin-of-project',
    topic: 'margins',
    put: async (books) => {
      const { id, name } = await listedProject(books)
      return {
        text: `What is the margin of the ${name} project over its materials?`,
        truth: await figures(
          books,
          sql`select (total_amount - ${materialsOf(books, id)})::float8 as margin from projects where id = ${id}`,
        ),
      }
    },
  },
]
