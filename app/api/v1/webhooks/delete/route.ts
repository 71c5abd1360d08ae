import { route } from '@/lib/http/rest/route'
import { deleteWebhook } from '@/lib/operations/webhooks/delete-webhook'

/** POST /v1/webhooks/delete */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(deleteWebhook)
