import { type Connecting, publicRequest } from './public-request'

/** Less than the five seconds after which the library that asks has given up. */
const TIMEOUT_MS = 4_000

/** The answer of a host: a redirect is an answer as any other. */
export type Got = { status: number; headers: Record<string, string>; bytes: Buffer<ArrayBuffer> }

/** The request: a GET, or a POST of a body. */
type Asked = { method?: 'GET' | 'POST'; headers: Record<string, string>; body?: string | undefined; most: number }

/**
 * Reads an address that a stranger named, or posts to it: see {@link publicRequest}. Redirects are not followed; all of it takes four seconds
 * at most.
 * @param most so many bytes are read at most
 * @throws Error when there is no answer, or one that is longer
 */
export async function publicGet(
  from: string,
  { method = 'GET', headers, body, most }: Asked,
  connecting?: Connecting,
): Promise<Got> {
  return await new Promise<Got>((done, fail) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const sent = { ...headers, 'accept-encoding': 'identity' }
    const asked = publicRequest(from, { method, headers: sent, signal }, connecting)
    asked.on('response', (answer) => {
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
