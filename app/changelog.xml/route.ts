import { routeOf } from '@/lib/http/endpoint'
import { changelogDocument } from '@/lib/site/endpoints'

/** GET /changelog.xml */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(changelogDocument.answer)
