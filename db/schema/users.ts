import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { addressParts, lifeTimes, sourceReference, walkedBy } from './columns'
import { contractors } from './contractors'

/**
 * Home-owners. One becomes a *customer* when a project is theirs: `owns_project` is kept by a trigger on projects,
 * so the customers list stays one index range however many home-owners there are.
 */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id')
      .notNull()
      .references(() => contractors.id),
    sourceReference: sourceReference(),
    name: text('name').notNull(),
    email: text('email'),
    phone: text('phone'),
    phoneRaw: text('phone_raw'),
    ...addressParts(),
    ownsProject: boolean('owns_project').notNull().default(false),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('users_source').on(t.contractorId, t.sourceReference),
    index('users_walk').on(walkedBy(), t.updatedAt, t.id).where(sql`owns_project`),
    // By what tells people apart, without the contractor: a planner that knows nothing of the table yet cannot prefer a worse one.
    index('users_email').on(t.email).where(sql`email is not null`),
    index('users_phone').on(t.phone).where(sql`phone is not null`),
  ],
)
