/** The three things that every error of this package says. */
export type Told = { what: string; why: string; next: string }

/** The base of all errors of this package: `what` happened, `why`, and what to do `next`. None contains the key. */
export class PlumblineError extends Error {
  readonly what: string
  readonly why: string
  readonly next: string

  constructor({ what, why, next }: Told, options?: ErrorOptions) {
    super(`${what}: ${why} ${next}`.trim(), options)
    this.name = new.target.name
    this.what = what
    this.why = why
    this.next = next
  }
}

/** The content of an error answer of the API. */
export type Refusal = {
  status: number
  /**
   * The error code, such as `bad_request` or `forbidden`: see the guide on errors and limits. Empty when something other than the API
   * answered.
   */
  code: string
  requestId: string
  fields: { field: string; message: string }[]
  /** Seconds that the server asked to wait. */
  retryAfter: number | undefined
}

/** The API, or something in front of it, refused a request. */
export class ApiError extends PlumblineError {
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly fields: readonly { field: string; message: string }[]
  readonly retryAfter: number | undefined

  constructor(told: Told, { status, code, requestId, fields, retryAfter }: Refusal) {
    super(told)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** An error for 429 for longer than {@link Options.patienceMs}. */
export class RateLimitedError extends ApiError {}

/** An error for 410: a record was deleted, or the feed no longer has what follows a cursor. */
export class GoneError extends ApiError {}

/** An error when no whole answer arrived: no connection, a cut one, or none in time. */
export class ConnectionError extends PlumblineError {}

/** The answer is not what the API description says; most likely something else answered, such as a proxy. */
export class UnexpectedAnswerError extends PlumblineError {}

/** A list ended before its last record: its server has no secret for page tokens, and says so by the header `List-Complete: ?0`. */
export class IncompleteListError extends PlumblineError {
  constructor(resource: string) {
    super({
      what: `The list of ${resource} is not complete`,
      why: 'the server issues no page tokens, so what follows this page cannot be read.',
      next: 'Ask its operator to set EXTERNAL_API_TOKEN_SECRET, or ask for at most one page.',
    })
  }
}

/** A comparison for one resource: what the copy has, and what is true at the cursor that the sync reached. */
export type Proof = {
  resource: string
  /** The verdict; `unavailable`: the server is still counting records of before the feed, and gave no totals. */
  verdict: 'complete' | 'incomplete' | 'unavailable'
  found: { count: number; checksum: string }
  expected: { count: number; checksum: string } | null
}

/** The copy is not what it should be, although everything that was sent has been stored. */
export class ProofError extends PlumblineError {
  readonly proofs: readonly Proof[]

  constructor(proofs: readonly Proof[]) {
    const failed = proofs.filter(({ verdict }) => verdict === 'incomplete')
    const names = failed.map(({ resource }) => resource)
    super({
      what: `The copy of ${names.join(' and ')} is not complete`,
      why: `${failed.map(reasonOf).join('; ')}.`,
      next:
        `Check that \`apply\` stores every record of a batch and that nothing else writes to the copy, then read ${names.length > 1 ? 'them' : 'it'} ` +
        `again: sync({ ..., reread: [${names.map((name) => `'${name}'`).join(', ')}] }).`,
    })
    this.proofs = proofs
  }
}

function reasonOf({ resource, found, expected }: Proof): string {
  const there = expected?.count ?? 0
  if (found.count < there) return `${there - found.count} of ${there} ${resource} are missing`
  if (found.count > there) return `it has ${found.count - there} ${resource} more than the ${there} that exist`
  return `of ${there} ${resource} at least one is out of date, or one is missing and another is left over`
}
