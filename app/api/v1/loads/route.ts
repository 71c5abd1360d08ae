import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** GET /v1/loads */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.listLoads)
