import type { IncomingMessage } from 'node:http'
import { urlFault } from './public-address'
import { inWords } from './public-post'
import { type Connecting, publicRequest } from './public-request'

const MOST_REDIRECTS = 5

/** The answer of an address: where it was in the end, its status and headers, and its body as it arrives. */
export type Followed = {
  url: URL
  status: number
  headers: IncomingMessage['headers']
  body: AsyncIterable<Uint8Array>
}

function ask(url: URL, headers: Record<string, string>, signal: AbortSignal, connecting?: Connecting) {
  return new Promise<IncomingMessage>((done, fail) => {
    const sent = { 'accept-encoding': 'identity', ...headers }
    const asked = publicRequest(url.href, { method: 'GET', headers: sent, signal }, connecting)
    asked
      .on('response', done)
      .on('error', (error) =>
        fail(signal.aborted ? new Error(`${url.hostname} did not answer in time`) : inWords(error, url)),
      )
    asked.end()
  })
}

/**
 * Reads an address that somebody entered: see {@link publicRequest}. Redirects are followed a few times, each checked as the first address
 * was.
 * @param signal ends it, also while the body is read
 * @throws Error that says why there is no answer
 */
export async function publicFollow(
  from: string,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
  connecting?: Connecting,
): Promise<Followed> {
  let to = from
  for (let i = 0; i <= MOST_REDIRECTS; i++) {
    const fault = urlFault(to)
    if (fault) throw new Error(i === 0 ? `The address ${fault}` : `The address leads to another one, which ${fault}`)
    const url = new URL(to)
    const answer = await ask(url, headers, signal, connecting)
    const { statusCode: status = 0 } = answer
    const { location } = answer.headers
    const isMoved = [301, 302, 303, 307, 308].includes(status) && location !== undefined
    if (!isMoved) return { url, status, headers: answer.headers, body: answer }
    answer.destroy()
    if (!URL.canParse(location, url)) throw new Error('The address leads to another one, which is not valid')
    to = new URL(location, url).href
  }
  throw new Error(`The address leads on more than ${MOST_REDIRECTS} times`)
}
