import { route } from '@/lib/http/rest/route'
import { records } from '@/lib/operations/records'

/** GET /v1/customers/{id} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(records.getCustomer)
