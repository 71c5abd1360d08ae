import { exportRoute } from '../../records/export'

/** GET /estimates/export: the estimates that the list finds with the same parameters, as a CSV file. */
export const GET = exportRoute('estimates')
