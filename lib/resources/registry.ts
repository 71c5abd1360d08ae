import { customers } from './customers'
import { invoices } from './invoices'
import { payments } from './payments'
import { projects } from './projects'

/** The resources of the data API, in the order in which documents list them. */
export const resources = { customers, projects, invoices, payments }
