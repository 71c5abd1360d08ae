import { pgTable, text, unique } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { ofContractor } from './contractors'
import { ofPerson } from './people'

/** Filters of the request log that a person keeps by a name, for one contractor; `query` is the log's own, as in its URL. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    personId: ofPerson(),
    name: text('name').notNull(),
    query: text('query').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [unique('saved_filters_name').on(t.contractorId, t.personId, t.name)],
)
