import { webHandler } from '@/lib/http/endpoint'
import { compatibilityRpc } from '@/lib/mcp/rpc'

/** /mcp/rpc */
const handler = webHandler(compatibilityRpc)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
