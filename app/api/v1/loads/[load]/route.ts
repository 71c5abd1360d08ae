import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** GET /v1/loads/{id}, PUT /v1/loads/{file} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.getLoad, operations.loadFile)
