import { publicPost } from '@/lib/core/public-post'
import type { Connecting } from '@/lib/core/public-request'
import { webhookBody } from './texts'

export type { Connecting }

/**
 * Posts a message to a person's webhook URL; see {@link publicPost}.
 * @throws Error with the status of the response, or why the host could not be reached
 */
export async function postWebhook(
  to: string,
  message: { subject: string; body: string },
  connecting?: Connecting,
): Promise<void> {
  // An address that is none is refused with the reason before anything is sent.
  const body = URL.canParse(to) ? webhookBody(new URL(to), message) : ''
  const { status } = await publicPost(to, { headers: {}, body, most: 0 }, connecting)
  if (status < 200 || status >= 300) throw new Error(`${new URL(to).hostname} answered ${status}`)
}
