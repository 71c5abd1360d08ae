import { ERRORS, type ErrorCode } from '@/lib/core/errors'
import type { AnyOperation, Served } from '@/lib/operations/define'
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
  rate_limited: {
    name: 'RateLimited',
    description: 'Too many requests; wait for `Retry-After` seconds',
    error: 'More than 10 requests in a minute to this endpoint. Wait 12 s, then go on.',
  },
  too_slow: {
    name: 'TooSlow',
    description: 'The body did not arrive in time; send it in one go',
    error: 'The body did not arrive within 20 seconds. Send it in one go, or send less.',
  },
  payload_too_large: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than this endpoint takes',
    error: 'The body is larger than 65536 bytes. Send less.',
  },
  unsupported_media_type: {
    name: 'UnsupportedMediaType',
    description: 'The body is not of a media type this endpoint takes',
    error: 'Send the body in UTF-8 with Content-Type: application/json.',
  },
  busy: {
    name: 'Busy',
    description: 'The server is receiving as much as it can hold; wait for `Retry-After` seconds',
    error: 'The server is receiving as much as it can hold. Try again in a moment.',
  },
  internal: {
    name: 'Internal',
    description: 'Our fault; safe to try again with backoff',
    error:
      'Something went wrong on our side. It is safe to try again in a moment; if it persists, send us the request id.',
  },
}

/** The shared error responses, each with an example. */
export function errorResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERROR_TEXT).map(([code, { name, description, error }]) => {
      const headers = [
        'X-Request-Id',
        ...RATE_HEADERS,
        ...(code === 'rate_limited' || code === 'busy' ? ['Retry-After'] : []),
      ]
      const fields =
        code === 'bad_request' ? { fields: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }] } : {}
      const example = { error, code, requestId: 'req_6f1f0c0e-4f0e-4b59-9d3e-0a8d5b1f7c2a', ...fields }
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
    fields: {
      type: 'array',
      description: 'On 400: every faulty field',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/** Returns the errors an operation can answer with, as statuses and references to the shared responses. */
export function errorsOf({ access, http, limit }: Served<AnyOperation>): Json {
  const isPost = http.method === 'POST'
  const codes: [ErrorCode, boolean][] = [
    ['bad_request', true],
    ['unauthorized', access !== 'public'],
    ['forbidden', access !== 'public' && access !== 'any_key'],
    ['not_found', http.path.includes('{')],
    ['too_slow', isPost],
    ['payload_too_large', isPost],
    ['unsupported_media_type', isPost],
    ['rate_limited', limit !== undefined],
    ['internal', true],
    ['busy', isPost],
  ]
  return Object.fromEntries(
    codes
      .filter(([, applies]) => applies)
      .map(([code]) => [ERRORS[code].status, ref('responses', ERROR_TEXT[code]?.name ?? 'Internal')]),
  )
}
