import { route } from '@/lib/http/rest/route'
import { replayWebhook } from '@/lib/operations/webhooks/deliveries'

/** POST /v1/webhooks/replay */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(replayWebhook)
