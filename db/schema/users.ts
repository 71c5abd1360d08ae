import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { addressParts, foundBy, lifeTimes, sourceReference, walkedBy, wordsOf } from './columns'
import { contractors } from './contractors'

/**
 * Homeowners. One becomes a *customer* when they have a project. A trigger on projects maintains `owns_project`, so the customer
 * list stays one index range however many homeowners there are.
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
    // Indexes values that identify a person, without the contractor, so that a planner without statistics cannot prefer a worse
    // index.
    index('users_email').on(t.email).where(sql`email is not null`),
    index('users_phone').on(t.phone).where(sql`phone is not null`),
    index('users_find')
      .using('gin', wordsOf(sql`name || ' ' || coalesce(address, '')`))
      .with({ fastupdate: false })
      .where(sql`owns_project`),
    index('users_find_email').on(foundBy(sql`email`)).where(sql`owns_project and email is not null`),
    index('users_find_phone').on(foundBy(sql`reverse(phone)`)).where(sql`owns_project and phone is not null`),
  ],
)
