import { webHandler } from '@/lib/http/endpoint'
import { formerSse } from '@/lib/mcp/sse'

/** /mcp/sse */
const handler = webHandler(formerSse)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
