import type { ErrorCode } from './errors'

/** What an error means to somebody who looks at a request later, and what to do next. */
export type ErrorText = { means: string; next: string }

/** For every code of the error table. */
export const ERROR_TEXTS: Record<ErrorCode, ErrorText> = {
  bad_request: {
    means: 'A parameter or a field of the request could not be used.',
    next: 'The answer named each faulty field in `fields`. Fix those; sent again as it is, it is refused again.',
  },
  unauthorized: {
    means: 'The key was malformed, unknown, revoked or expired.',
    next: 'Look whether the key is still valid, and send one that is as `x-api-key`.',
  },
  forbidden: {
    means:
      'The key may not do this: it lacks the scope, is for another contractor, or is not to be used from this address.',
    next: 'Use a key that may, or ask an administrator for one.',
  },
  not_found: {
    means: 'There is no such record or path for this contractor.',
    next: 'Check the path and the id; lists show the ids there are.',
  },
  method_not_allowed: {
    means: 'The path does not take this method.',
    next: 'The answer’s `Allow` header names those it takes.',
  },
  too_slow: { means: 'The request or its body came too slowly.', next: 'Send it in one go.' },
  payload_too_large: { means: 'The body was larger than is taken here.', next: 'Send less at once.' },
  unsupported_media_type: {
    means: 'The body’s type is not taken here.',
    next: 'Send JSON in UTF-8 and say so: `content-type: application/json`.',
  },
  expectation_failed: {
    means: 'The client sent an `Expect` header other than `100-continue`.',
    next: 'Leave the header out.',
  },
  misdirected: {
    means: 'The host that was asked does not serve this path.',
    next: 'Use the address that the answer named.',
  },
  rate_limited: {
    means: 'One request too many came within a minute.',
    next: 'Wait the seconds of the answer’s `Retry-After`, and spread requests. Refused ones do not count against the limit.',
  },
  headers_too_large: { means: 'The headers were too large.', next: 'Send fewer or shorter ones.' },
  internal: {
    means: 'Something failed on our side.',
    next: 'It is safe to try again, waiting longer each time. If it stays, give the operator the request id.',
  },
  busy: {
    means: 'The server was receiving as much as it can hold.',
    next: 'Wait as many seconds as the answer’s `Retry-After` said, then send it again.',
  },
}
