import { routeByResource } from '@/lib/http/rest/by-resource'
import { exportOf } from '@/lib/operations/exports/export-records'

/** GET /v1/export/{resource} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeByResource(exportOf, 2)
