import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { KeyActor } from '@/lib/auth/actor'
import { authenticateKey } from '@/lib/auth/authenticate'
import { hasKeyHeader, keyInUrl, presentedKey } from '@/lib/auth/presented-key'
import { env } from '@/lib/core/env'
import { ServiceError, toServiceError } from '@/lib/core/errors'
import { cutHeader, readElement } from '@/lib/core/header'
import { parseJsonObject } from '@/lib/core/json'
import { withoutEnd } from '@/lib/core/text'
import type { Operation, PostBinding, Received } from '@/lib/operations/define'
import { execute, type OperationCall } from '@/lib/operations/execute'
import { clientAddress } from '../address'
import type { Answer, Reply } from '../answer'
import type { RawBody } from '../body'
import { countKey, limitAddress, reportOwnLimit, requireAllowed } from '../limit'
import { requireMethod, type ServiceRequest } from '../request'
import { pathValues } from './input'

export const POST_METHODS = 'POST, OPTIONS'

type Post = Operation & { http: PostBinding }
type Text = { body: string; raw: Uint8Array; bytes: number; isUtf8: boolean; complete: boolean; fault?: ServiceError }

const inflate = promisify(gunzip)

const bodyFault = (message: string, cause?: unknown) =>
  new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }], cause })

/** Returns a body without its content coding (RFC 9110, 8.4), up to the cap. @throws ServiceError when it cannot be read */
async function uncoded({ bytes, complete }: RawBody, coding: string, cap: number): Promise<RawBody> {
  if (coding === '' || coding === 'identity' || !complete) return { bytes, complete }
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new ServiceError('unsupported_media_type', 'Send the body without Content-Encoding, or as gzip.')
  try {
    return { bytes: await inflate(bytes, { maxOutputLength: cap }), complete }
  } catch (cause) {
    if (cause instanceof RangeError) return { bytes, complete: false }
    throw bodyFault('is not valid gzip, or ends too early; send it again, or without Content-Encoding.', cause)
  }
}

/** Replaces NUL, which Postgres cannot store and JSON never contains unescaped. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd')

function decoderOf(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** Decodes bytes as UTF-8; those of a sender that cannot be asked as it says, and where they are no UTF-8 as Windows-1252. */
function decode(bytes: Uint8Array, contentType: string | null, isLenient: boolean): Pick<Text, 'body' | 'isUtf8'> {
  const { charset } = mediaType(contentType)
  const named = isLenient && !isUtf8Name(charset) ? decoderOf(charset) : undefined
  if (named) return { body: storable(named.decode(bytes)), isUtf8: true }
  try {
    return { body: storable(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), isUtf8: true }
  } catch {
    const fallback = new TextDecoder(isLenient ? 'windows-1252' : 'utf-8')
    return { body: storable(fallback.decode(bytes)), isUtf8: isLenient }
  }
}

/** Reads a request's body as text. What is wrong with its content coding is told once its sender is known. */
async function readText(request: ServiceRequest, { maxBytes, isLenient }: PostBinding): Promise<Text> {
  const { headers } = request
  const sent = await request.body(maxBytes)
  try {
    const coding = cutHeader(headers.get('content-encoding')).trim().toLowerCase()
    const { bytes, complete } = await uncoded(sent, coding, maxBytes)
    // The last character of a body that was cut may be half of one.
    const decoded = decode(bytes, headers.get('content-type'), isLenient === true && complete)
    return { raw: bytes, bytes: bytes.length, complete, ...decoded }
  } catch (error) {
    const { bytes, complete } = sent
    return { raw: bytes, bytes: bytes.length, complete, body: '', isUtf8: true, fault: toServiceError(error) }
  }
}

/** Returns the media type without its parameters, and the encoding it declares. */
function mediaType(contentType: string | null): { type: string; charset: string | undefined } {
  const { value, parameters } = readElement(cutHeader(contentType))
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^\s"]+)"?$/.exec(parameter)?.[1]).find(Boolean)
  return { type: value, charset }
}

const isUtf8Name = (charset: string | undefined) => charset === undefined || charset === 'utf-8' || charset === 'utf8'

const JSON_TYPE = 'application/json'

function isTaken({ types, isLenient }: PostBinding, contentType: string | null): boolean {
  if (isLenient) return true
  const { type, charset } = mediaType(contentType)
  if (!isUtf8Name(charset)) return false
  return types.some((taken) => type === taken || (taken === JSON_TYPE && /^application\/[\w.-]+\+json$/.test(type)))
}

function requireBody(binding: PostBinding, contentType: string | null, text: Text): void {
  const { types, maxBytes } = binding
  if (text.fault) throw text.fault
  if (!isTaken(binding, contentType)) {
    const isForm = types.includes(JSON_TYPE) && /\/x-www-form-urlencoded\b/i.test(cutHeader(contentType))
    const named =
      isForm && /^\s*[[{]/.test(text.body) ? 'The body is JSON, but its Content-Type says that it is a form. ' : ''
    throw new ServiceError(
      'unsupported_media_type',
      `${named}Send the body in UTF-8 with Content-Type: ${types.join(' or ')}.`,
    )
  }
  if (!text.complete)
    throw new ServiceError('payload_too_large', `The body is larger than ${maxBytes} bytes. Send less.`)
  if (!text.isUtf8) throw bodyFault('is not valid UTF-8; encode it as UTF-8.')
}

/** The key's holder, or the refusal, which is answered only after it has been counted. @throws ServiceError when the body cannot be read */
async function callerOf({ http }: Post, request: ServiceRequest, path: string, read: () => Promise<Text>) {
  const { lenientKey, proof } = http
  const { headers } = request
  const inUrl = proof ? keyInUrl(path) : undefined
  const inHeader = inUrl ?? presentedKey(headers, lenientKey !== undefined)
  const key =
    inHeader ?? (lenientKey && !hasKeyHeader(headers) ? lenientKey.inBody(path, (await read()).body) : undefined)
  try {
    return await authenticateKey(key, inUrl === undefined ? { headers } : { isInUrl: true })
  } catch (error) {
    return toServiceError(error)
  }
}

/** Returns the body's fields together with the path's. @throws ServiceError when the body cannot be read */
function given({ http }: Post, { path, contentType }: Received, text: Text): OperationCall {
  requireBody(http, contentType, text)
  const fromPath = Object.fromEntries(pathValues(http.path, path))
  const fromBody = http.body === 'json' ? parseJsonObject(text.body) : {}
  return { values: { ...fromBody, ...fromPath }, whole: 'body' }
}

/** Returns the answer to a sender that asks by GET whether its secret URL is ours (RFC 9110 calls it safe: nothing happens). */
function proofFor({ http }: Post, { method, url }: ServiceRequest): string | undefined {
  return method === 'GET' && keyInUrl(url) !== undefined ? http.proof?.asked(new URL(url)) : undefined
}

/** Answers such a sender with the text that proves it, when the key's holder may have it. */
async function prove(
  operation: Post,
  caller: KeyActor,
  proof: string,
  { url }: ServiceRequest,
  answer: Answer,
): Promise<Reply> {
  requireAllowed(await countKey(operation, caller, answer))
  await operation.http.proof?.allow(caller, new URL(url))
  answer.add({ 'content-type': 'text/plain; charset=utf-8' })
  return answer.json(proof)
}

/**
 * Handles a POST operation: sender, limit, method, body, then `execute`. Once the key is known, the operation is also informed of
 * every refusal, with the body, so that it can be stored.
 */
export function poster(operation: Post): (request: ServiceRequest, answer: Answer) => Promise<Reply> {
  return async (request, answer) => {
    // Next may hand on a path as it was sent, with a slash at its end.
    const path = withoutEnd(new URL(request.url).pathname, /\//)
    let reading: Promise<Text> | undefined
    const read = () => {
      reading ??= readText(request, operation.http)
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
    if (proof !== undefined) return await prove(operation, caller, proof, request, answer)
    const { costOf } = operation.http
    // What does not depend on the body is counted while that arrives; a body that is refused shows the limit too.
    const early = costOf ? undefined : countKey(operation, caller, answer)
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
    const counted = costOf ? countKey(operation, caller, answer, costOf(caller, received)) : early
    const address = clientAddress(request.headers, env().proxyHops)
    const asked = { actor: caller, now, received, address, counted, reportOwnLimit: reportOwnLimit(answer) }
    const { text: json, status } = await execute(operation, asked, () => given(operation, received, text), 'text')
    return answer.json(json, status)
  }
}

/** Reports whether an operation is called with POST. */
export const isPost = (operation: Operation): operation is Post => operation.http?.method === 'POST'
