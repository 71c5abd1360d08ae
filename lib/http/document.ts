import { createHash } from 'node:crypto'
import type { Answer, Reply } from './answer'
import type { Endpoint } from './endpoint'
import { observed, type Steps } from './logged'
import { GET_METHODS, PUBLIC_CORS } from './public'
import { requireMethod, type ServiceRequest } from './request'

/** A document as it leaves: its bytes, their type and their strong ETag (RFC 9110, 8.8.3). */
export type Rendered = {
  type: string
  text: string
  etag: string
  /** False for what must not be believed later, such as word of a fault. */
  cacheable: boolean
  /** Over the general ones, such as a policy that lets a page have its style. */
  headers: Record<string, string>
}

/** Makes a document of a text; the ETag is a hash of type and text, so the same content has the same one on every instance. */
export function rendered(
  type: string,
  text: string,
  { cacheable = true, headers = {} }: Partial<Pick<Rendered, 'cacheable' | 'headers'>> = {},
): Rendered {
  const hash = createHash('sha256').update(`${type}\n${text}`).digest('base64url').slice(0, 27)
  return { type, text, etag: `"${hash}"`, cacheable, headers }
}

/** A value as indented JSON: people read these documents too. */
export const renderedJson = (value: unknown, type = 'application/json; charset=utf-8', options = {}): Rendered =>
  rendered(type, `${JSON.stringify(value, null, 2)}\n`, options)

/** A public document: where it is, and how it is made for a request. */
export type Document = {
  path: string
  /** Whether what is made depends on `Accept`; said to caches by `Vary`. */
  negotiated?: boolean
  render(request: Pick<ServiceRequest, 'headers' | 'url'>): Rendered | Promise<Rendered>
}

/** A value made at the first call: settings and tools do not change while a process runs. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A document that is the same for every request: rendered once, at the first. */
export const fixedDocument = (path: string, make: () => Rendered): Endpoint =>
  documentEndpoint({ path, render: once(make) })

const MAX_AGE_S = 300

/** Whether the client holds this version: If-None-Match compares weakly, so a `W/` that a proxy put there is no difference. */
function isHeld(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/**
 * A document as an endpoint: GET and HEAD for everyone from any origin, cached for five minutes and asked again by its ETag (304).
 * Any other method is 405 with `Allow`.
 */
export function documentEndpoint({ path, negotiated, render }: Document): Endpoint {
  const always = { ...PUBLIC_CORS, ...(negotiated ? { vary: 'Accept' } : {}) }
  const answerWith = async (request: ServiceRequest, answer: Answer): Promise<Reply> => {
    requireMethod(request, ['GET', 'HEAD'], GET_METHODS)
    const { type, text, etag, cacheable, headers } = await render(request)
    answer.add({ ...headers, 'content-type': type, etag })
    if (cacheable) answer.add({ 'cache-control': `public, max-age=${MAX_AGE_S}` })
    return isHeld(request.headers.get('if-none-match'), etag) ? answer.empty(304) : answer.json(text)
  }
  const answerAll: Steps = async (request, answer) => {
    answer.add(always)
    if (request.method === 'OPTIONS') {
      answer.add({ allow: GET_METHODS })
      return answer.empty(204)
    }
    return answerWith(request, answer).catch((error) => answer.error(error))
  }
  return { path, answer: observed('document', answerAll), takesBody: false }
}
