import { exportRoute } from '../../records/export'

/** GET /projects/export: the projects that the list finds with the same parameters, as a CSV file. */
export const GET = exportRoute('projects')
