import { receiveNotifications } from '@/lib/connectors/receive'
import { ServiceError } from '@/lib/core/errors'
import type { Endpoint } from './endpoint'
import { limitAddress } from './limit'
import { observed } from './logged'
import { requireMethod } from './request'

/** The limit; Intuit documents none, and a day's notices of a busy company have some kilobytes. */
const MOST_BYTES = 1_000_000

/**
 * The endpoint where Intuit posts when a company's books change. It gets 200 for companies that nobody connected here, too: their app has
 * others.
 */
export const quickbooksWebhook: Endpoint = {
  path: '/api/webhooks/quickbooks',
  answer: observed('quickbooks_webhook', async (request, answer) => {
    try {
      await limitAddress({ limit: 'pages', name: 'quickbooks_webhook' }, request, answer)
      requireMethod(request, ['POST'], 'POST')
      const { bytes, complete } = await request.body(MOST_BYTES)
      if (!complete)
        throw new ServiceError('payload_too_large', `The body is larger than ${MOST_BYTES} bytes. Send less.`)
      await receiveNotifications('quickbooks', bytes, (name) => request.headers.get(name))
      return answer.json('{}')
    } catch (error) {
      return answer.error(error)
    }
  }),
}
