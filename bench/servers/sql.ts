import { pageText } from '@/db/queries/list'
import { resources } from '@/lib/resources/registry'

/** The exact statement of the first page of invoices, for the contenders that consist of nothing else. */
export const FIRST_PAGE = pageText(resources.invoices.source, {
  contractorId: '',
  limit: 50,
  after: undefined,
  filters: [],
})
