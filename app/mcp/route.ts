import { routeOf } from '@/lib/http/endpoint'
import { streamableHttp } from '@/lib/mcp/streamable-http'

/** /mcp */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(streamableHttp)
