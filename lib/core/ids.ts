import { randomUUID } from 'node:crypto'
import { ulid } from 'ulid'

const PREFIXES = { contractor: 'con', user: 'cus', project: 'prj', key: 'key' } as const

/** A new id: the noun's prefix and a ULID in lower case, so that rows made later sort later (github.com/ulid/spec). */
export function newId(noun: keyof typeof PREFIXES): string {
  return `${PREFIXES[noun]}_${ulid().toLowerCase()}`
}

/** Whether a string has the form of a noun's id; says nothing of whether the row exists. */
export function isId(noun: keyof typeof PREFIXES, value: string): boolean {
  return (
    value.startsWith(`${PREFIXES[noun]}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(PREFIXES[noun].length + 1))
  )
}

/** An id for one request, given back in `X-Request-Id` and in every error. */
export function newRequestId(): string {
  return `req_${randomUUID()}`
}

const RECORD_PREFIX = { invoice: 'inv', payment_received: 'pay', refund: 'ref', adjustment: 'adj' } as const

/**
 * What stands before the epoch milliseconds in a record's id: `inv_<project id>_` (specification 2.4), `pay_<project id>_`
 * (2.5); refunds and adjustments have prefixes of their own.
 */
export const recordIdPrefix = (type: keyof typeof RECORD_PREFIX, projectId: string) =>
  `${RECORD_PREFIX[type]}_${projectId}_`
