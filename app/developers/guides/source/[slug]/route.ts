import { webHandler } from '@/lib/http/endpoint'
import { guideSource } from '@/lib/site/endpoints'

/** GET /developers/guides/<slug>.md */
const handler = webHandler(guideSource.answer)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
