import { routeOf } from '@/lib/http/endpoint'
import { documents } from '@/lib/mcp/documents/endpoints'

/** GET /mcp/server-card */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(documents.card.answer)
