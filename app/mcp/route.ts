import { webHandler } from '@/lib/http/endpoint'
import { streamableHttp } from '@/lib/mcp/streamable-http'

/** /mcp */
const handler = webHandler(streamableHttp)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
