import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { addressParts, foundBy, lifeTimes, source, sourceReference, walkedBy, wordsOf } from './columns'
import { ofContractor } from './contractors'

/**
 * Homeowners. One becomes a *customer* when they have a project. A trigger on projects maintains `owns_project`, so the customer
 * list stays one index range however many homeowners there are.
 */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    sourceReference: sourceReference(),
    source: source(),
    /** What the software that the record came from knows the customer by, where its other files know only the name. */
    sourceId: text('source_id'),
    name: text('name').notNull(),
    email: text('email'),
    phone: text('phone'),
    phoneRaw: text('phone_raw'),
    ...addressParts(),
    /** The customer that a person said this one is as well: what files and leads bring for it is that customer's. */
    joinedTo: text('joined_to').references((): AnyPgColumn => users.id),
    /** The records that it had when it was joined, by table; it gets them back when it is separated. */
    joinedWith: jsonb('joined_with').$type<Record<string, string[]>>(),
    ownsProject: boolean('owns_project').notNull().default(false),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('users_source').on(t.contractorId, t.sourceReference),
    index('users_source_id').on(t.contractorId, t.sourceId).where(sql`source_id is not null`),
    index('users_walk').on(walkedBy(), t.updatedAt, t.id).where(sql`owns_project`),
    index('users_by_name').on(t.contractorId, sql`lower(name)`, t.id).where(sql`owns_project`),
    // Indexes values that identify a person, without the contractor, so that a planner without statistics cannot prefer a worse
    // index.
    index('users_email').on(t.email).where(sql`email is not null`),
    index('users_phone').on(t.phone).where(sql`phone is not null`),
    index('users_joined').on(t.joinedTo).where(sql`joined_to is not null`),
    index('users_find')
      .using('gin', wordsOf(sql`name || ' ' || coalesce(address, '')`))
      .with({ fastupdate: false })
      .where(sql`owns_project`),
    index('users_find_email').on(foundBy(sql`email`)).where(sql`owns_project and email is not null`),
    index('users_find_phone').on(foundBy(sql`reverse(phone)`)).where(sql`owns_project and phone is not null`),
  ],
)

/** The customer that a record belongs to. */
export const ofCustomer = () =>
  text('customer_id')
    .notNull()
    .references(() => users.id)
