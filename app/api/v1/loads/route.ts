import { route } from '@/lib/http/rest/route'
import { listLoads } from '@/lib/operations/loads/list-loads'

/** GET /v1/loads */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listLoads)
