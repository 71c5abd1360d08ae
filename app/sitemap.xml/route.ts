import { webHandler } from '@/lib/http/endpoint'
import { siteDocuments } from '@/lib/site/endpoints'

/** GET /sitemap.xml */
const handler = webHandler(siteDocuments.sitemap.answer)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
