import { routeOf } from '@/lib/http/endpoint'
import { guideSource } from '@/lib/site/endpoints'

/** GET /developers/guides/<slug>.md */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(guideSource.answer)
