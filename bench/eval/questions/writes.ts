import { type SQL, sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { subject, uniqueNames } from './truths'

/** Returns a question about a change, with the rows that show it was made. */
const done = async (books: Books, text: string, rows: SQL): ReturnType<Question['put']> => {
  await books.read(rows)
  return { text, truth: { kind: 'change', done: async () => (await books.read(rows)).length > 0 } }
}

const someone = (books: Books, status: string) =>
  subject(
    books,
    sql`select p.id, u.name from projects p join users u on u.id = p.customer_id where p.contractor_id = ${books.contractorId}
      and p.status = ${status} and u.name in ${uniqueNames(books)} and (select count(*) from projects q where q.customer_id = u.id) = 1
      order by p.id desc limit 1`,
  )

/** The questions for writes allowed to an agent. */
export const writes: readonly Question[] = [
  {
    id: 'write-note',
    topic: 'writes',
    put: async (books) => {
      const { id, name } = await someone(books, 'in_progress')
      const note = 'The crew needs the gate open by seven.'
      return done(
        books,
        `Add a note to the ${name} project: "${note}"`,
        sql`select id from project_entries where project_id = ${id} and kind = 'note' and text = ${note}`,
      )
    },
  },
  {
    id: 'write-follow-up',
    topic: 'writes',
    put: async (books) => {
      const { id, name } = await someone(books, 'lead')
      const [next] = await books.read<{ day: string }>(sql`select (${books.today}::date + 9)::text as day`)
      return done(
        books,
        `Set a follow-up for the lead ${name} on ${next?.day}: "Ask about the color."`,
        sql`select id from project_entries where project_id = ${id} and kind = 'follow_up' and follow_up_on = ${next?.day}::date`,
      )
    },
  },
  {
    id: 'write-lead',
    topic: 'writes',
    put: (books) =>
      done(
        books,
        'Record a new lead: Imre Testa, phone (615) 555-0188.',
        sql`select project_id from leads where contractor_id = ${books.contractorId} and first_name = 'Imre' and last_name = 'Testa' and phone = '+16155550188'`,
      ),
  },
]
