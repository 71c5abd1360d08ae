import { routeOf } from '@/lib/http/endpoint'
import { siteDocuments } from '@/lib/site/endpoints'

/** GET /sitemap.xml */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(siteDocuments.sitemap.answer)
