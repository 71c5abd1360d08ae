import { routeByResource } from '@/lib/http/rest/by-resource'
import { checksumOf } from '@/lib/operations/changes/checksum'

/** GET /v1/{resource}/checksum */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeByResource(checksumOf)
