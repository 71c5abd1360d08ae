import { route } from '@/lib/http/rest/route'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'

/** POST /v1/webhooks/create */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createWebhook)
