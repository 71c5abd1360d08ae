import { route } from '@/lib/http/rest/route'
import { getMetadata } from '@/lib/operations/metadata'

/** GET /v1/metadata */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getMetadata)
