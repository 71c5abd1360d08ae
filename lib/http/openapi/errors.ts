import { ERRORS, type ErrorCode } from '@/lib/core/errors'
import type { AnyOperation, Served } from '@/lib/operations/define'
import { RESOURCES } from '@/lib/resources/registry'
import { headerRefs, RATE_HEADERS } from './headers'
import { type Json, ref } from './schema'

const ERROR_TEXT: Partial<Record<ErrorCode, { name: string; description: string; error: string }>> = {
  bad_request: {
    name: 'BadRequest',
    description: 'A parameter cannot be used; `fields` names each',
    error: 'limit: must be a whole number from 1 to 100',
  },
  unauthorized: {
    name: 'Unauthorized',
    description: 'The API key is missing or not valid',
    error: 'A valid API key is needed. Send it as `x-api-key` or `Authorization: Bearer`.',
  },
  forbidden: {
    name: 'Forbidden',
    description: 'The key lacks the scope, or belongs to another contractor',
    error: 'This key lacks the scope read:invoices. Use a key that has it, or ask your administrator for one.',
  },
  not_found: {
    name: 'NotFound',
    description: 'There is no such record for this contractor',
    error: 'There is no invoice with this id. Take ids from /invoices.',
  },
  conflict: {
    name: 'Conflict',
    description:
      'A load of this contractor runs, the upload goes on at another byte, or the file has questions, which `fields` names by their keys; `error` says what to do',
    error:
      'Another load is running for this contractor. Wait until it is done, then try again. Nothing of this file was loaded.',
  },
  gone: {
    name: 'Gone',
    description: 'The feed no longer has what follows the cursor; begin again',
    error:
      'The feed no longer has what follows this cursor: it is older than 90 days, or the data was restored from a backup of before it. ' +
      'Begin again: request /changes without a cursor, read the lists once, then go on from the new cursor.',
  },
  misdirected: {
    name: 'Misdirected',
    description: 'This host does not serve this path; `error` names the right address',
    error: 'Data is served at https://api.example.com/invoices. Use that address.',
  },
  rate_limited: {
    name: 'RateLimited',
    description: 'Too many requests; wait for `Retry-After` seconds',
    error: 'More than 10 requests in a minute to this endpoint. Wait 12 s, then go on.',
  },
  too_slow: {
    name: 'TooSlow',
    description: 'The body did not arrive in time; send it in one go',
    error: 'The body did not arrive within 20 seconds. Send it without pauses, or send less.',
  },
  payload_too_large: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than this endpoint takes',
    error: 'The body is larger than 65536 bytes. Send less.',
  },
  headers_too_large: {
    name: 'HeadersTooLarge',
    description: 'The address and the headers are larger than a request may have; send shorter ones',
    error: 'The request is not valid HTTP, its headers are too large, or it arrived too slowly.',
  },
  unsupported_media_type: {
    name: 'UnsupportedMediaType',
    description: 'The body is not of a media type this endpoint takes',
    error: 'Send the body in UTF-8 with Content-Type: application/json.',
  },
  busy: {
    name: 'Busy',
    description:
      'The server or its database has too much to do, its disk is full, or the database cannot be reached; wait for `Retry-After` seconds',
    error: 'The database has more to do than it can answer in time. Try again in a moment.',
  },
  internal: {
    name: 'Internal',
    description: 'Our fault; safe to try again with backoff',
    error:
      'Something went wrong on our side. It is safe to try again in a moment; if it persists, send us the request id.',
  },
}

/** The `gone` of a record, where that of the feed is about a cursor. */
const DELETED = {
  name: 'Deleted',
  description: 'The record was deleted in the last 90 days; `deletedAt` says when',
  error: 'This invoice was deleted at 2026-11-02T09:30:00.000Z. Remove it from your copy.',
}

/** The `busy` of a reading operation, where that of a body is about what arrives. */
const UNCOUNTED = {
  name: 'Uncounted',
  description: 'For a while after an upgrade from a version without a feed; wait for `Retry-After` seconds',
  error:
    'The invoices of before the feed are being counted, or had not been at this cursor. Ask again in a moment, or with a newer cursor.',
}

/** The shared error responses, each with an example. */
export function errorResponses(): Json {
  const texts = [...Object.entries(ERROR_TEXT), ['gone', DELETED] as const, ['busy', UNCOUNTED] as const]
  return Object.fromEntries(
    texts.map(([code, { name, description, error }]) => {
      const headers = [
        'X-Request-Id',
        ...RATE_HEADERS,
        ...(code === 'rate_limited' || code === 'busy' ? ['Retry-After'] : []),
      ]
      const fields =
        code === 'bad_request' ? { fields: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }] } : {}
      const deleted = name === DELETED.name ? { deletedAt: '2026-11-02T09:30:00.000Z' } : {}
      const example = { error, code, requestId: 'req_6f1f0c0e-4f0e-4b59-9d3e-0a8d5b1f7c2a', ...fields, ...deleted }
      return [
        name,
        {
          description,
          headers: headerRefs(headers),
          content: { 'application/json': { schema: ref('schemas', 'Error'), example } },
        },
      ]
    }),
  )
}

/** The body of every error. */
export const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'What is wrong, why, and what to do next' },
    code: { type: 'string', description: 'A stable word for programs', enum: Object.keys(ERRORS) },
    requestId: { type: 'string' },
    deletedAt: { type: 'string', format: 'date-time', description: 'On 410 of a record: when it was deleted' },
    fields: {
      type: 'array',
      description: 'On 400: every invalid field',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/**
 * Returns the errors an operation can answer with, as statuses and references to the shared responses. Any key may be limited by itself,
 * or to addresses, whatever it asks for.
 */
export function errorsOf({ access, http, input, limit }: Served<AnyOperation>): Json {
  const isPost = http.method === 'POST'
  const isPut = http.method === 'PUT'
  const isRecord = RESOURCES.some(({ name }) => http.path === `/${name}/{id}`)
  const namesOne = http.path.startsWith('/webhook') && ('id' in input.shape || 'webhook' in input.shape)
  const isChecksum = http.path.endsWith('/checksum')
  const hasKey = access !== 'public'
  const names: [code: ErrorCode, applies: boolean, name?: string | undefined][] = [
    ['bad_request', true],
    ['unauthorized', hasKey],
    ['forbidden', hasKey],
    ['not_found', http.path.includes('{') || namesOne],
    ['conflict', isPut],
    ['gone', 'cursor' in input.shape || isRecord, isRecord ? DELETED.name : undefined],
    ['too_slow', isPost],
    ['payload_too_large', isPost || isPut],
    ['unsupported_media_type', isPost],
    // Answers to a load's questions stand in its address, and may be many.
    ['headers_too_large', isPut],
    ['misdirected', http.at === 'data' && hasKey],
    ['rate_limited', limit !== undefined || hasKey],
    ['internal', true],
    ['busy', true, isChecksum ? UNCOUNTED.name : undefined],
  ]
  return Object.fromEntries(
    names
      .filter(([, applies]) => applies)
      .map(([code, , name = ERROR_TEXT[code]?.name]) => [ERRORS[code].status, ref('responses', name ?? 'Internal')]),
  )
}
