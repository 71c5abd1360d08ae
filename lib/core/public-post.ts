import { type Connecting, publicRequest } from './public-request'

/** The answer of a receiver: its status and the beginning of its body. */
export type Posted = { status: number; text: string }

const TIMEOUT_MS = 10_000

/** The meanings of Node's codes of failed connections for whoever entered the address; the host's name goes before. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'has no address: the name is misspelled, or its DNS record is missing',
  EAI_AGAIN: 'could not be looked up: its DNS did not answer',
  ECONNREFUSED: 'refused the connection: nothing listens on this port',
  ECONNRESET: 'closed the connection before it answered',
  EPIPE: 'closed the connection before it answered',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ETIMEDOUT: 'did not accept the connection in time',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'sends its certificate without the intermediate ones',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate from an authority that is not trusted',
  EPROTO: 'does not speak TLS on this port',
}

/** The error in words, where its code says more than its message to somebody who does not know Node. */
export function inWords(error: Error, { hostname }: URL): Error {
  const reason = 'code' in error ? REASONS[String(error.code)] : undefined
  return reason ? new Error(`${hostname} ${reason}`) : error
}

/**
 * Posts to an address that somebody entered: see {@link publicRequest}. Redirects are not followed.
 * @param most so many bytes of the answer are read; none for 0
 * @throws Error that says why there is no answer
 */
export async function publicPost(
  to: string,
  { headers, body, most }: { headers: Record<string, string>; body: string; most: number },
  connecting?: Connecting,
): Promise<Posted> {
  const bytes = Buffer.from(body)
  const sent = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    ...headers,
  }
  return await new Promise<Posted>((done, fail) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const asked = publicRequest(to, { method: 'POST', headers: sent, signal }, connecting)
    asked.on('response', (answer) => {
      const { statusCode: status = 0 } = answer
      const parts: Buffer[] = []
      let size = 0
      const end = () => {
        answer.destroy()
        done({ status, text: Buffer.concat(parts).subarray(0, most).toString() })
      }
      if (most === 0) return end()
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size >= most) end()
      })
      // What a receiver says is of interest only beside its status, which is there already.
      answer.on('end', end).on('error', end)
    })
    const url = new URL(to)
    asked.on('error', (error) =>
      fail(signal.aborted ? new Error(`${url.hostname} did not answer within 10 seconds`) : inWords(error, url)),
    )
    asked.end(bytes)
  })
}
