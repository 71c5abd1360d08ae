import { env } from '@/lib/core/env'
import type { Mail } from '@/lib/notify/mail'
import { runNotifications } from '@/lib/notify/run'

/** Sets a mail server, which {@link deliverMails} stands in for. */
export function useMailServer(): void {
  Object.assign(env(), { mail: { url: 'smtp://127.0.0.1:9', from: 'plumbline@example.com' } })
}

/**
 * Sends what is due, and returns the emails that left.
 * @param failing whether the server fails after it took each email, so that it is sent again
 */
export async function deliverMails(now = new Date(Date.now() + 1_000), { failing = false } = {}): Promise<Mail[]> {
  const mails: Mail[] = []
  const email = async (mail: Mail) => {
    mails.push(mail)
    if (failing) throw new Error('the connection broke')
  }
  await runNotifications({ now, senders: { email, webhook: async () => {} } })
  return mails
}
