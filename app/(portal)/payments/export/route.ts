import { exportRoute } from '../../records/export'

/** GET /payments/export: the payments that the list finds with the same parameters, as a CSV file. */
export const GET = exportRoute('payments')
