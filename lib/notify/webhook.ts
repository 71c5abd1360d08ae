import { type RequestOptions, request } from 'node:https'
import { publicLookup, urlFault } from './public-address'
import { webhookBody } from './texts'

const TIMEOUT_MS = 10_000

/** What differs where a test stands in for the internet: how names are looked up, and whose certificates are trusted. */
export type Connecting = Pick<RequestOptions, 'lookup' | 'ca'>

/**
 * Posts a message to an address a person gave: over https, to the public internet only, without following redirects and without reading the
 * answer.
 * @throws Error that says what the other side answered, or why it could not be reached
 */
export async function postWebhook(
  to: string,
  message: { subject: string; body: string },
  connecting: Connecting = { lookup: publicLookup() },
): Promise<void> {
  const fault = urlFault(to)
  if (fault) throw new Error(`The address ${fault}`)
  const url = new URL(to)
  const body = Buffer.from(webhookBody(url, message))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'user-agent': 'Plumbline',
  }
  await new Promise<void>((done, fail) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // A connection of its own: a kept one would skip the lookup.
    const sent = request(url, { method: 'POST', headers, agent: false, signal, ...connecting }, (answer) => {
      answer.destroy()
      const { statusCode = 0 } = answer
      if (statusCode >= 200 && statusCode < 300) return done()
      fail(new Error(`${url.hostname} answered ${statusCode}`))
    })
    sent.on('error', (error) =>
      fail(signal.aborted ? new Error(`${url.hostname} did not answer within 10 seconds`) : error),
    )
    sent.end(body)
  })
}
