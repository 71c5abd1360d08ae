import { routeOf } from '@/lib/http/endpoint'
import { documents } from '@/lib/mcp/documents/endpoints'

/** GET / of the MCP server */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(documents.home.answer)
