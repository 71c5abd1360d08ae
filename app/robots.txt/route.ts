import { routeOf } from '@/lib/http/endpoint'
import { siteDocuments } from '@/lib/site/endpoints'

/** GET /robots.txt */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(siteDocuments.robots.answer)
