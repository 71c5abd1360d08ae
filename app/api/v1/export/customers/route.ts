import { route } from '@/lib/http/rest/route'
import { recordExports } from '@/lib/operations/exports/export-records'

/** GET /v1/export/customers */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(recordExports.exportCustomers)
