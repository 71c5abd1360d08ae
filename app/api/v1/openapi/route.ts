import { getOpenapi } from '@/lib/http/openapi/operation'
import { route } from '@/lib/http/rest/route'

/** GET /v1/openapi */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getOpenapi)
