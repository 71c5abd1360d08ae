import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { lifeTimes } from './columns'

/** A tenant: one contractor's business. All other tenant data refers to its id. */
export const contractors = pgTable('contractors', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  trade: text('trade'),
  city: text('city'),
  state: text('state'),
  timezone: text('timezone').notNull().default('America/New_York'),
  currency: text('currency').notNull().default('USD'),
  /** ISO 3166-1, two letters; null where its zone and currency say it. */
  country: text('country'),
  /** BCP 47, how people of the office are shown days and numbers; null where the country says it. */
  locale: text('locale'),
  demo: boolean('demo').notNull().default(false),
  ...lifeTimes(),
})

/** The contractor that a row belongs to. */
export const ofContractor = () =>
  text('contractor_id')
    .notNull()
    .references(() => contractors.id)
