import { request } from 'node:https'
import { publicLookup, urlFault } from './public-address'
import type { Connecting } from './public-post'

/** Less than the five seconds after which the library that asks has given up. */
const TIMEOUT_MS = 4_000

/** What a host answered: a redirect is an answer as any other. */
export type Got = { status: number; headers: Record<string, string>; bytes: Buffer<ArrayBuffer> }

/** What is asked: a GET, or a POST of a body. */
type Asked = { method?: 'GET' | 'POST'; headers: Record<string, string>; body?: string | undefined; most: number }

/**
 * Reads an address that a stranger named, or posts to it: over https, from the public internet only, without following redirects, within
 * four seconds for all of it. The address is checked in the lookup that the socket itself uses.
 * @param most so many bytes are read at most
 * @throws Error when there is no answer, or one that is longer
 */
export async function publicGet(
  from: string,
  { method = 'GET', headers, body, most }: Asked,
  connecting: Connecting = { lookup: publicLookup() },
): Promise<Got> {
  const fault = urlFault(from)
  if (fault) throw new Error(`The address ${fault}`)
  return await new Promise<Got>((done, fail) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const sent = { 'user-agent': 'Plumbline', ...headers, 'accept-encoding': 'identity' }
    // A new connection each time, because a reused one would skip the address check.
    const asked = request(new URL(from), { method, headers: sent, agent: false, signal, ...connecting }, (answer) => {
      const parts: Buffer[] = []
      let size = 0
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size > most) answer.destroy(new Error(`The answer is longer than ${most} bytes`))
      })
      answer.on('error', fail)
      answer.on('end', () => {
        const named = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')])
        done({ status: answer.statusCode ?? 0, headers: Object.fromEntries(named), bytes: Buffer.concat(parts) })
      })
    })
    asked.on('error', (error) =>
      fail(signal.aborted ? new Error(`${new URL(from).hostname} did not answer in time`) : error),
    )
    asked.end(body)
  })
}
