import { authenticateKey } from '@/lib/auth/authenticate'
import { hasKeyHeader, keyInUrl, presentedKey } from '@/lib/auth/presented-key'
import { env } from '@/lib/core/env'
import { ServiceError, toServiceError } from '@/lib/core/errors'
import { parseJsonObject } from '@/lib/core/json'
import type { Operation, PostBinding, Received } from '@/lib/operations/define'
import { execute, type Given } from '@/lib/operations/execute'
import { clientAddress } from '../address'
import type { Answer, Reply } from '../answer'
import { countKey, limitAddress, requireAllowed, tellOwnLimit } from '../limit'
import { requireMethod, type ServiceRequest } from '../request'
import { pathValues } from './input'

export const POST_METHODS = 'POST, OPTIONS'

type Post = Operation & { http: PostBinding }
type Text = { body: string; raw: Uint8Array; bytes: number; isUtf8: boolean; complete: boolean }

/** Decodes a body's bytes. Replaces NUL, which Postgres cannot store and JSON never contains unescaped. */
async function readText(request: ServiceRequest, cap: number): Promise<Text> {
  const { bytes, complete } = await request.body(cap)
  const rest = { raw: bytes, bytes: bytes.length, complete }
  try {
    return {
      body: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', '\ufffd'),
      isUtf8: true,
      ...rest,
    }
  } catch {
    return { body: new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd'), isUtf8: false, ...rest }
  }
}

/** Returns the media type without its parameters; undefined when the body declares an encoding other than UTF-8. */
function mediaType(contentType: string | null): string | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^\s"]+)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean)
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' ? type.trim() : undefined
}

function requireBody({ types, maxBytes }: PostBinding, contentType: string | null, text: Text): void {
  const type = mediaType(contentType)
  const isTaken = types.some(
    (taken) => type === taken || (taken === 'application/json' && /^application\/[\w.-]+\+json$/.test(type ?? '')),
  )
  if (!isTaken)
    throw new ServiceError('unsupported_media_type', `Send the body in UTF-8 with Content-Type: ${types.join(' or ')}.`)
  if (!text.complete)
    throw new ServiceError('payload_too_large', `The body is larger than ${maxBytes} bytes. Send less.`)
  if (text.isUtf8) return
  const message = 'is not valid UTF-8; encode it as UTF-8.'
  throw new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }] })
}

/** The key's holder, or the refusal, which is answered only after it has been counted. */
async function callerOf({ http }: Post, request: ServiceRequest, path: string, read: () => Promise<Text>) {
  const { lenientKey, proof } = http
  const inUrl = proof ? keyInUrl(path) : undefined
  if (inUrl !== undefined) return authenticateKey(inUrl, { isInUrl: true }).catch((error) => toServiceError(error))
  const inHeader = presentedKey(request.headers, lenientKey !== undefined)
  const key =
    inHeader ??
    (lenientKey && !hasKeyHeader(request.headers) ? lenientKey.inBody(path, (await read()).body) : undefined)
  return authenticateKey(key, { headers: request.headers }).catch((error) => toServiceError(error))
}

/** Returns the body's fields together with the path's. @throws ServiceError when the body cannot be read */
function given({ http }: Post, { path, contentType }: Received, text: Text): Given {
  requireBody(http, contentType, text)
  const fromPath = Object.fromEntries(pathValues(http.path, path))
  const fromBody = http.body === 'json' ? parseJsonObject(text.body) : {}
  return { values: { ...fromBody, ...fromPath }, whole: 'body' }
}

/** What a sender is answered that asks by GET whether its secret URL is ours (RFC 9110 calls it safe: nothing happens). */
function proofFor({ http }: Post, { method, url }: ServiceRequest): string | undefined {
  return method === 'GET' && keyInUrl(url) !== undefined ? http.proof?.asked(new URL(url)) : undefined
}

/**
 * Handles a POST operation: sender, limit, method, body, then `execute`. Once the key is known, the operation is also informed of
 * every refusal, with the body, so that it can be stored.
 */
export function poster(operation: Post): (request: ServiceRequest, answer: Answer) => Promise<Reply> {
  return async (request, answer) => {
    const path = new URL(request.url).pathname
    let reading: Promise<Text> | undefined
    const read = () => {
      reading ??= readText(request, operation.http.maxBytes)
      return reading
    }
    const proof = proofFor(operation, request)
    const caller =
      request.method === 'POST' || proof !== undefined ? await callerOf(operation, request, path, read) : undefined
    if (!caller || caller instanceof ServiceError) {
      await limitAddress(operation, request, answer)
      requireMethod(request, ['POST'], POST_METHODS)
      throw caller
    }
    answer.actor = caller
    const counted = countKey(operation, caller, answer)
    if (proof !== undefined) {
      requireAllowed(counted instanceof Promise ? await counted : counted)
      await operation.http.proof?.allow(caller, new URL(request.url))
      answer.add({ 'content-type': 'text/plain; charset=utf-8' })
      return answer.json(proof)
    }
    const text = await read()
    const now = new Date()
    const { body, raw, bytes } = text
    const received = {
      requestId: answer.requestId,
      at: now,
      body,
      bytes,
      contentType: request.headers.get('content-type'),
      path,
      raw,
      header: (name: string) => request.headers.get(name),
    }
    const address = clientAddress(request.headers, env().proxyHops)
    const asked = { actor: caller, now, received, address, counted, tellOwnLimit: tellOwnLimit(answer) }
    const { text: json, status } = await execute(operation, asked, () => given(operation, received, text), 'text')
    return answer.json(json, status)
  }
}

/** Whether an operation is called with POST. */
export const isPost = (operation: Operation): operation is Post => operation.http?.method === 'POST'
