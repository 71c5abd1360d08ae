import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** GET /v1/export/customers */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.exportCustomers)
