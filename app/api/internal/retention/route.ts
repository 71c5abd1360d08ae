import { webHandler } from '@/lib/http/endpoint'
import { internal } from '@/lib/http/internal'

/** GET /api/internal/retention: for the platform's scheduler */
const handler = webHandler(internal.retention.answer)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
