import { routeOf } from '@/lib/http/endpoint'
import { siteDocuments } from '@/lib/site/endpoints'

/** GET /llms.txt */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(siteDocuments.llms.answer)
