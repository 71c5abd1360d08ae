import { exportRoute } from '../../records/export'

/** GET /invoices/export: the invoices that the list finds with the same parameters, as a CSV file. */
export const GET = exportRoute('invoices')
