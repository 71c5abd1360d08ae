import type { ErrorCode } from './errors'

/** What an error means to somebody who looks at a request later, and what to do next. */
export type ErrorText = { means: string; next: string }

/** For every code of the error table. */
export const ERROR_TEXTS: Record<ErrorCode, ErrorText> = {
  bad_request: {
    means: 'A parameter or a field of the request could not be used.',
    next: 'The answer lists each faulty field in `fields`. Fix those; an unchanged request is refused again.',
  },
  unauthorized: {
    means: 'The key was malformed, unknown, revoked or expired.',
    next: 'Check that the key is still valid, and send a valid one as `x-api-key`.',
  },
  forbidden: {
    means:
      'The key is not allowed to do this: it lacks the scope, belongs to another contractor, or may not be used from this address.',
    next: 'Use a key with the permission, or ask an administrator for one.',
  },
  not_found: {
    means: 'There is no such record or path for this contractor.',
    next: 'Check the path and the id; lists show the existing ids.',
  },
  method_not_allowed: {
    means: 'The path does not support this method.',
    next: 'The answer’s `Allow` header lists the supported ones.',
  },
  too_slow: { means: 'The request or its body arrived too slowly.', next: 'Send it without pauses.' },
  payload_too_large: { means: 'The body was too large.', next: 'Send less at once.' },
  unsupported_media_type: {
    means: 'The body’s content type is not supported here.',
    next: 'Send JSON in UTF-8 with `content-type: application/json`.',
  },
  expectation_failed: {
    means: 'The client sent an `Expect` header other than `100-continue`.',
    next: 'Leave the header out.',
  },
  misdirected: {
    means: 'This host does not serve this path.',
    next: 'Use the URL in the answer.',
  },
  rate_limited: {
    means: 'Too many requests within a minute.',
    next: 'Wait the number of seconds in `Retry-After`, and spread requests out. Refused requests do not count against the limit.',
  },
  headers_too_large: { means: 'The headers were too large.', next: 'Send fewer or shorter ones.' },
  internal: {
    means: 'Something failed on our side.',
    next: 'It is safe to try again, waiting longer each time. If it persists, give the operator the request id.',
  },
  busy: {
    means: 'The server was at capacity.',
    next: 'Wait the number of seconds in `Retry-After`, then send it again.',
  },
}
