import { routeOf } from '@/lib/http/endpoint'
import { unknownPath } from '@/lib/http/rest/route'

/** Answers any other path under the API: JSON 404 */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(unknownPath)
