import { overloadOf } from './overload'

/** An error whose message is written for the operator: what is wrong, and which setting or command changes it. It is shown without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** The errors that a client can see: the status of each, and whether an agent can fix the call and try again. */
export const ERRORS = {
  bad_request: { status: 400, agent: 'retry' },
  unauthorized: { status: 401, agent: 'fault' },
  forbidden: { status: 403, agent: 'retry' },
  not_found: { status: 404, agent: 'retry' },
  method_not_allowed: { status: 405, agent: 'fault' },
  too_slow: { status: 408, agent: 'retry' },
  conflict: { status: 409, agent: 'retry' },
  gone: { status: 410, agent: 'retry' },
  payload_too_large: { status: 413, agent: 'retry' },
  unsupported_media_type: { status: 415, agent: 'fault' },
  expectation_failed: { status: 417, agent: 'fault' },
  misdirected: { status: 421, agent: 'fault' },
  rate_limited: { status: 429, agent: 'retry' },
  headers_too_large: { status: 431, agent: 'fault' },
  internal: { status: 500, agent: 'fault' },
  busy: { status: 503, agent: 'retry' },
} as const satisfies Record<string, { status: number; agent: 'retry' | 'fault' }>

export type ErrorCode = keyof typeof ERRORS
export type FieldFault = { field: string; message: string }

type Details = { fields?: FieldFault[]; deletedAt?: string; headers?: Record<string, string>; cause?: unknown }

/** An error whose `message` is written for the client: what is wrong, why, and what to do next. `cause` is never sent. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldFault[] | undefined
  /** The time when the record was deleted, ISO 8601. */
  readonly deletedAt: string | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.fields = details.fields
    this.deletedAt = details.deletedAt
    this.headers = details.headers
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/**
 * The body of every error answer: `error` for people, `code` for programs, `fields` for what is wrong with the input, `deletedAt` for a
 * record that is gone.
 */
export type ErrorBody = {
  error: string
  code: ErrorCode
  requestId: string
  fields?: FieldFault[]
  deletedAt?: string
}

const OUR_FAULT =
  'Something went wrong on our side. It is safe to try again in a moment; if it persists, send us the request id.'

/** An overload, a full disk or a database that is away: nothing is wrong with the request, nor with the program. */
export class Overloaded extends ServiceError {}

/**
 * Turns anything thrown into an error for the client. An unexpected one becomes `internal` with a general message, so that driver
 * text, SQL and stacks never leave; one that says that there is too much to do becomes `busy` with `Retry-After`.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  const overload = overloadOf(thrown)
  if (!overload) return new ServiceError('internal', OUR_FAULT, { cause: thrown })
  const headers = { 'retry-after': String(overload.seconds) }
  return new Overloaded('busy', overload.message, { cause: thrown, headers })
}

/** Reports whether the fault is ours, as something thrown and not foreseen is: it belongs in the log, and the client may try again. */
export const isOurs = (error: ServiceError): boolean => error.code === 'internal' || error instanceof Overloaded

/** The JSON body for an error; see {@link ErrorBody}. */
export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  const { message, code, fields, deletedAt } = error
  return { error: message, code, requestId, ...(fields && { fields }), ...(deletedAt && { deletedAt }) }
}
