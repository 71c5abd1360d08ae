import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { jsonOf } from '@/lib/core/json'
import type { Notice } from '../connector'

const Company = z.string().regex(/^\d{1,30}$/)

/** The form that Intuit has sent since 2016. */
const Notifications = z.object({
  eventNotifications: z.array(
    z.object({
      realmId: Company,
      dataChangeEvent: z.object({ entities: z.array(z.object({ operation: z.string() })) }).optional(),
    }),
  ),
})

/** The form since 2026: a list of CloudEvents. */
const CloudEvents = z.array(z.object({ specversion: z.string(), type: z.string(), intuitaccountid: Company }))

/** Reports whether a body was signed with the app's verifier token; compared in constant time. */
function isSigned(raw: Uint8Array, given: string | null, verifier: string): boolean {
  const wanted = createHmac('sha256', verifier).update(raw).digest()
  const sent = Buffer.from(given ?? '', 'base64')
  return sent.length === wanted.length && timingSafeEqual(sent, wanted)
}

/**
 * Reads a webhook of Intuit's, in either of its forms. It says whose books changed; what changed is asked for.
 * @throws ServiceError `not_found` when no verifier is set, `unauthorized` without the right signature, `bad_request` for another body
 */
export function notices(raw: Uint8Array, header: (name: string) => string | null): Notice[] {
  const { verifier } = env().quickbooks
  if (!verifier)
    throw new ServiceError(
      'not_found',
      'This server takes no webhooks of QuickBooks: QUICKBOOKS_WEBHOOK_VERIFIER is not set.',
    )
  if (!isSigned(raw, header('intuit-signature'), verifier))
    throw new ServiceError(
      'unauthorized',
      'intuit-signature does not fit the body. QUICKBOOKS_WEBHOOK_VERIFIER must be the verifier token of the app on Intuit’s developer site.',
    )
  const body = jsonOf(Buffer.from(raw).toString('utf8'))
  const events = CloudEvents.safeParse(body)
  if (events.success)
    return events.data.map(({ intuitaccountid, type }) => ({
      company: intuitaccountid,
      isMerge: /\bmerged?\b/i.test(type),
    }))
  const { data } = Notifications.safeParse(body)
  if (!data)
    throw new ServiceError('bad_request', 'The body is neither a list of CloudEvents nor has it eventNotifications.')
  return data.eventNotifications.map(({ realmId, dataChangeEvent }) => ({
    company: realmId,
    isMerge: dataChangeEvent?.entities.some(({ operation }) => operation === 'Merge') ?? false,
  }))
}
