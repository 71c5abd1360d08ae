import { routeByResource } from '@/lib/http/rest/by-resource'
import { getOf } from '@/lib/operations/records'

/** GET /v1/{resource}/{id} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeByResource(getOf)
