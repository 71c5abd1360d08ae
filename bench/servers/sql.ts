import { pageText } from '@/db/queries/list'
import { resources } from '@/lib/resources/registry'

/** The exact statement of the first page of invoices, for the contenders that consist of nothing else. */
export const FIRST_PAGE = pageText(resources.invoices.source, {
  contractorId: '',
  limit: 50,
  after: undefined,
  filters: [],
})

/** The same rows as columns, as a service that maps rows would read them. */
export const ROWS = `select id, project_id, contractor_id, customer_id, number, amount, currency, invoice_date, due_date, status, created_at, updated_at
  from analytics_invoice_records where contractor_id = $1 order by updated_at, id limit $2`
