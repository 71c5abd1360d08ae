import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { elementsOf, readElement } from '@/lib/core/header'
import type { Reply } from './answer'
import type { ServiceRequest } from './request'

const compress = promisify(gzip)

/** The length below which texts fit into one packet as they are. */
const LEAST_BYTES = 1_400
/** A page of 42 KB in a third of a millisecond, off the event loop; higher levels take longer than they save on a line of today. */
const LEVEL = 4

/** Reports whether a client takes gzip. */
export const takesGzip = (acceptEncoding: string | null): boolean => takesCoding(acceptEncoding, 'gzip')

/** Reports whether a client takes a coding (RFC 9110, 12.5.3): named without `q=0`, or by `*`. */
export function takesCoding(acceptEncoding: string | null, coding: 'br' | 'gzip'): boolean {
  if (acceptEncoding === null) return false
  const named = new Map(
    elementsOf(acceptEncoding).map((element) => {
      const { value, parameters } = readElement(element)
      return [value, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))]
    }),
  )
  return named.get(coding) ?? (coding === 'gzip' ? named.get('x-gzip') : undefined) ?? named.get('*') ?? false
}

/** The `Vary` of every answer that may be compressed, so that a cache does not give one client another's. */
export const VARIES = 'Accept-Encoding'

/**
 * Returns a reply in gzip for a client that takes it, the same under both entries. Only for answers that hold no secret beside text that
 * somebody else chose: the length of such a text tells the secret (BREACH).
 */
export async function compressed({ headers }: ServiceRequest, reply: Reply): Promise<Reply> {
  const { body } = reply
  if (typeof body !== 'string' || body.length < LEAST_BYTES || !takesGzip(headers.get('accept-encoding'))) return reply
  const bytes = await compress(body, { level: LEVEL })
  return {
    ...reply,
    body: bytes,
    headers: { ...reply.headers, 'content-encoding': 'gzip', 'content-length': String(bytes.length) },
  }
}
