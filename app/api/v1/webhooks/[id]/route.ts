import { route } from '@/lib/http/rest/route'
import { getWebhook } from '@/lib/operations/webhooks/list-webhooks'

/** GET /v1/webhooks/{id} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getWebhook)
