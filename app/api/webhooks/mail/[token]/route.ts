import { routeOf } from '@/lib/http/endpoint'
import { mailEndpoint } from '@/lib/http/rest/mail'

/** POST /api/webhooks/mail/{token} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(mailEndpoint.answer)
