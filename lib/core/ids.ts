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

/** `inv_<project id>_<epoch ms>` (specification 2.4). */
export const invoiceId = (projectId: string, epochMs: number) => `inv_${projectId}_${epochMs}`

const TRANSACTION_PREFIX = { payment_received: 'pay', refund: 'ref', adjustment: 'adj' } as const

/** `pay_<project id>_<epoch ms>` (specification 2.5); refunds and adjustments have prefixes of their own. */
export const transactionId = (type: keyof typeof TRANSACTION_PREFIX, projectId: string, epochMs: number) =>
  `${TRANSACTION_PREFIX[type]}_${projectId}_${epochMs}`
