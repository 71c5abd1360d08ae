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
  demo: boolean('demo').notNull().default(false),
  ...lifeTimes(),
})
