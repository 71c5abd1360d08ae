import { routeOf } from '@/lib/http/endpoint'
import { siteDocuments } from '@/lib/site/endpoints'

/** GET /.well-known/security.txt */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(siteDocuments.security.answer)
