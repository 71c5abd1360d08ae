import { routeOf } from '@/lib/http/endpoint'
import { documents } from '@/lib/mcp/documents/endpoints'

/** GET /mcp/.well-known/mcp-server.json */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(documents.discovery.answer)
