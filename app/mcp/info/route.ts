import { routeOf } from '@/lib/http/endpoint'
import { documents } from '@/lib/mcp/documents/endpoints'

/** GET /mcp/info */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(documents.info.answer)
