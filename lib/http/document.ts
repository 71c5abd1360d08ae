import { createHash } from 'node:crypto'
import { derived } from '@/lib/core/shared'
import type { Answer, Reply } from './answer'
import { compressed, VARIES } from './compress'
import type { Endpoint } from './endpoint'
import { isHeld } from './etag'
import { limitDocument } from './limit'
import { observed, type Steps } from './logged'
import { GET_METHODS, PUBLIC_CORS } from './public'
import { requireMethod, type ServiceRequest } from './request'

/** A document as it is sent: its bytes, type and strong ETag (RFC 9110, 8.8.3). */
export type Rendered = {
  type: string
  text: string
  etag: string
  /** True unless it must not be cached, such as a report of an error. */
  cacheable: boolean
  /** The headers that override the general ones, such as a policy that allows a page its styles. */
  headers: Record<string, string>
}

/** Creates a document from a text. The ETag is a hash of type and text, so the same content has the same one on every instance. */
export function rendered(
  type: string,
  text: string,
  { cacheable = true, headers = {} }: Partial<Pick<Rendered, 'cacheable' | 'headers'>> = {},
): Rendered {
  const hash = createHash('sha256').update(`${type}\n${text}`).digest('base64url').slice(0, 27)
  return { type, text, etag: `"${hash}"`, cacheable, headers }
}

/** Formats a value as indented JSON, because people read these documents too. */
export const renderedJson = (value: unknown, type = 'application/json; charset=utf-8', options = {}): Rendered =>
  rendered(type, `${JSON.stringify(value, null, 2)}\n`, options)

/** A public document: its path, and how it is created for a request. */
export type Document = {
  path: string
  /** True when the content depends on `Accept`; caches learn it from `Vary`. */
  negotiated?: boolean
  render(request: Pick<ServiceRequest, 'headers' | 'url'>): Rendered | Promise<Rendered>
}

/** A document that is the same for every request, rendered at the first one. */
export const fixedDocument = (path: string, make: () => Rendered): Endpoint =>
  documentEndpoint({ path, render: derived(make) })

const MAX_AGE_S = 300

/**
 * Turns a document into an endpoint: GET and HEAD for anyone from any origin, cached for five minutes and revalidated by its ETag
 * (304). Any other method gets 405 with `Allow`.
 */
export function documentEndpoint({ path, negotiated, render }: Document): Endpoint {
  const always = { ...PUBLIC_CORS, vary: negotiated ? `Accept, ${VARIES}` : VARIES }
  const answerWith = async (request: ServiceRequest, answer: Answer): Promise<Reply> => {
    limitDocument(path, request)
    if (request.method === 'OPTIONS') {
      answer.add({ allow: GET_METHODS })
      return answer.empty(204)
    }
    requireMethod(request, ['GET', 'HEAD'], GET_METHODS)
    const { type, text, etag, cacheable, headers } = await render(request)
    answer.add({ ...headers, 'content-type': type, etag })
    if (cacheable) answer.add({ 'cache-control': `public, max-age=${MAX_AGE_S}` })
    return isHeld(request.headers.get('if-none-match'), etag)
      ? answer.empty(304)
      : compressed(request, answer.json(text))
  }
  const answerAll: Steps = async (request, answer) => {
    answer.add(always)
    return answerWith(request, answer).catch((error) => answer.error(error))
  }
  return { path, answer: observed('document', answerAll) }
}
