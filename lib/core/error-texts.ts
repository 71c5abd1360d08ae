import type { ErrorCode } from './errors'

/** Explains an error to somebody who looks at a request later, and says what to do next. */
export type ErrorText = { means: string; next: string }

/** The explanation of every error code. */
export const ERROR_TEXTS: Record<ErrorCode, ErrorText> = {
  bad_request: {
    means: 'A parameter or field of the request was invalid.',
    next: 'The response lists each invalid field in `fields`. Fix those; the same request would be refused again.',
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
    next: 'The `Allow` header of the response lists the supported methods.',
  },
  too_slow: { means: 'The request or its body arrived too slowly.', next: 'Send it without pauses.' },
  conflict: {
    means: 'Something else of this contractor is under way, or is not where the request takes it to be.',
    next: 'The answer says what to wait for or where to go on.',
  },
  gone: {
    means: 'What was asked for existed and no longer does.',
    next: 'The answer says what to request instead. An unchanged request is refused again.',
  },
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
    next: 'Use the URL in the response.',
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
