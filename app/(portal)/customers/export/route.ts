import { exportRoute } from '../../records/export'

/** GET /customers/export: the customers that the list finds with the same parameters, as a CSV file. */
export const GET = exportRoute('customers')
