import { routeOf } from '@/lib/http/endpoint'
import { compatibilityRpc } from '@/lib/mcp/rpc'

/** /mcp/rpc */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(compatibilityRpc)
