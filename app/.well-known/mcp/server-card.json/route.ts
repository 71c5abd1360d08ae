import { routeOf } from '@/lib/http/endpoint'
import { documents } from '@/lib/mcp/documents/endpoints'

/** GET /.well-known/mcp/server-card.json */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(documents.wellKnownCard.answer)
