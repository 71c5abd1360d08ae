import { route } from '@/lib/http/rest/route'
import { listWebhooks } from '@/lib/operations/webhooks/list-webhooks'

/** GET /v1/webhooks */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listWebhooks)
