import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** POST /v1/webhook-deliveries/replay */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.replayWebhookDelivery)
