import { documents } from '@/lib/mcp/documents/endpoints'
import { webHandler } from '@/lib/wire/endpoint'

/** GET /mcp/.well-known/mcp-server.json */
const handler = webHandler(documents.discovery.answer)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
