import { routeOf } from '@/lib/http/endpoint'
import { formerSse } from '@/lib/mcp/sse'

/** /mcp/sse */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(formerSse)
