import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { figures, isLate, isOpen, list, nothingAhead, ranking, subject, UNPAID, uniqueNames } from './truths'

const mine = (books: Books) => sql`p.contractor_id = ${books.contractorId}`

/** Questions about one project, one customer, and the largest of them. */
export const projects: readonly Question[] = [
  {
    id: 'project-unpaid',
    topic: 'projects',
    put: async (books) => {
      const { id, name } = await subject(
        books,
        sql`select p.id, u.name from projects p join users u on u.id = p.customer_id join analytics_invoice_records i on i.project_id = p.id
          where ${isOpen(books)} and u.name in ${uniqueNames(books)} and ${nothingAhead(books, sql`u.id`)} and (select count(*) from projects q where q.customer_id = u.id) = 1
          and ${isLate(books)} group by p.id, u.name having sum(${UNPAID}) > 1000 order by p.id limit 1`,
      )
      return {
        text: `Find the ${name} project. How much is unpaid on it?`,
        truth: await figures(
          books,
          sql`select sum(${UNPAID})::float8 as unpaid from analytics_invoice_records i where ${isOpen(books)} and i.project_id = ${id}`,
        ),
      }
    },
  },
  {
    id: 'projects-of-customer',
    topic: 'projects',
    put: async (books) => {
      const { id, name } = await subject(
        books,
        sql`select u.id, u.name from projects p join users u on u.id = p.customer_id where ${mine(books)} and u.name in ${uniqueNames(books)}
          group by u.id having count(*) between 3 and 8 order by count(*) desc, u.id limit 1`,
      )
      return {
        text: `Which projects do we have for ${name}?`,
        truth: await list(books, sql`select array[id, name] as names from projects where customer_id = ${id}`),
      }
    },
  },
  {
    id: 'phone-of-customer',
    topic: 'projects',
    put: async (books) => {
      const { name, phone = '' } = await subject(
        books,
        sql`select u.name, u.phone from users u where u.contractor_id = ${books.contractorId} and u.phone is not null
          and u.name in ${uniqueNames(books)} order by u.id offset 9 limit 1`,
      )
      return { text: `What is the phone number of ${name}?`, truth: { kind: 'text', said: [phone] } }
    },
  },
  {
    id: 'whose-phone',
    topic: 'projects',
    put: async (books) => {
      const {
        name = '',
        id = '',
        shown,
      } = await subject(
        books,
        sql`select u.name, u.id, '(' || substr(u.phone, 3, 3) || ') ' || substr(u.phone, 6, 3) || '-' || substr(u.phone, 9) as shown from users u
          where u.contractor_id = ${books.contractorId} and u.owns_project and u.phone like '+1%'
          and (select count(*) from users v where v.contractor_id = u.contractor_id and v.phone = u.phone) = 1 order by u.id offset 30 limit 1`,
      )
      return { text: `Which customer has the phone number ${shown}?`, truth: { kind: 'list', items: [[name, id]] } }
    },
  },
  {
    id: 'at-address',
    topic: 'projects',
    put: async (books) => {
      const { address, names } = await subject(
        books,
        sql`select p.address, min(p.id) as names from projects p where ${mine(books)} and p.address is not null and p.address not like '%,%'
          group by p.address having count(*) = 1 order by min(p.created_at) desc limit 1`,
      )
      return {
        text: `Which project is at ${address}?`,
        truth: await list(books, sql`select array[id, name] as names from projects where id = ${names}`),
      }
    },
  },
  {
    id: 'biggest-in-progress',
    topic: 'projects',
    put: async (books) => ({
      text: 'What are our three biggest projects in progress by contract amount?',
      truth: await ranking(
        books,
        sql`select array[p.id, p.name] as names from projects p where ${mine(books)} and p.status = 'in_progress' order by p.total_amount desc, p.id limit 3`,
      ),
    }),
  },
  {
    id: 'big-scheduled-or-running',
    topic: 'projects',
    put: async (books) => ({
      text: 'Which projects that are scheduled or in progress are over $50,000?',
      truth: await list(
        books,
        sql`select array[p.id, p.name] as names from projects p where ${mine(books)} and p.status in ('scheduled', 'in_progress') and p.total_amount > 50000`,
      ),
    }),
  },
  {
    id: 'customer-count',
    topic: 'projects',
    put: async (books) => ({
      text: 'How many customers do we have?',
      truth: await figures(
        books,
        sql`select count(*)::int as customers from users where contractor_id = ${books.contractorId} and owns_project`,
      ),
    }),
  },
  {
    id: 'cancelled-count',
    topic: 'projects',
    put: async (books) => ({
      text: 'How many projects were cancelled in all?',
      truth: await figures(
        books,
        sql`select count(*)::int as "cancelled projects" from projects p where ${mine(books)} and p.status = 'cancelled'`,
      ),
    }),
  },
]
