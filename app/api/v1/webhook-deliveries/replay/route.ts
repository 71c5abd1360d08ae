import { route } from '@/lib/http/rest/route'
import { replayWebhookDelivery } from '@/lib/operations/webhooks/deliveries'

/** POST /v1/webhook-deliveries/replay */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(replayWebhookDelivery)
