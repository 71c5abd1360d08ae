import { route } from '@/lib/http/rest/route'
import { rotateWebhookSecret } from '@/lib/operations/webhooks/rotate-webhook-secret'

/** POST /v1/webhooks/rotate */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(rotateWebhookSecret)
