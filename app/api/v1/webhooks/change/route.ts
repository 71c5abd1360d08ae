import { route } from '@/lib/http/rest/route'
import { changeWebhook } from '@/lib/operations/webhooks/change-webhook'

/** POST /v1/webhooks/change */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(changeWebhook)
