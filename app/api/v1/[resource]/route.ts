import { routeByResource } from '@/lib/http/rest/by-resource'
import { listOf } from '@/lib/operations/records'

/** GET /v1/{resource} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeByResource(listOf)
