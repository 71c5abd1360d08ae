import type * as z from 'zod'
import { Time } from '@/app/session/time'
import type { Tone } from '@/app/ui/badge'
import { Facts } from '@/app/ui/facts'
import type { KeyState } from '@/lib/auth/key-state'
import type { listKeyAddresses, listKeyUsage } from '@/lib/operations/requests/usage'
import type { Addresses } from '@/lib/portal/first-call'
import { absolute } from '@/lib/portal/moments'
import type { Key } from './arrange'
import type { Subject } from './key-forms.client'

export type Usage = z.output<typeof listKeyUsage.output>['items'][number]
export type UsedFrom = z.output<typeof listKeyAddresses.output>['items']

/** The facts about the reader that a key's buttons need. */
export type Looking = { contractorId: string; ownAddress: string; addresses: Addresses }

/** The label and tone of each key state. */
export const STATES: Record<KeyState, { text: string; tone: Tone }> = {
  active: { text: 'Active', tone: 'good' },
  overlap: { text: 'Old secret', tone: 'warn' },
  replaced: { text: 'Replaced', tone: 'neutral' },
  expired: { text: 'Expired', tone: 'neutral' },
  revoked: { text: 'Revoked', tone: 'danger' },
}

/** Returns only what a key's forms need in the browser. `old` are its secrets that still work after a rotation. */
export const subjectOf = (
  { id, name, masked, preset, leadSource, allowedAddresses, perMinute, insteadOfAddress }: Key,
  old: readonly Key[] = [],
): Subject => ({
  id,
  name,
  masked,
  preset,
  leadSource,
  allowedAddresses,
  perMinute,
  insteadOfAddress,
  old: old.map((each) => ({ masked: each.masked, endsAt: each.expiresAt && absolute(each.expiresAt) })),
})

/** Shows a time, or `never` when there is none. */
export const When = ({
  at,
  never,
  dayOnly = false,
}: {
  at: string | null | undefined
  never: string
  dayOnly?: boolean
}) => (at ? <Time at={new Date(at)} dayOnly={dayOnly} /> : <span className="text-quiet">{never}</span>)

/** Shows the number of requests in the last 24 hours, linked to the log. */
export function Requests({ of, usage }: { of: Key; usage: Usage | undefined }) {
  const requests = usage?.requests ?? 0
  return (
    <>
      <a href={`/logs?key=${encodeURIComponent(of.id)}`}>
        {requests.toLocaleString('en-US')}
        <span className="sr-only"> with {of.name}, in the log</span>
      </a>
      {Boolean(usage?.errors) && (
        <span className="text-sm text-quiet"> {usage?.errors.toLocaleString('en-US')} failed</span>
      )}
    </>
  )
}

/** Shows the recent use of a key before it is revoked. */
export const RecentUse = ({ of, usage }: { of: Key; usage: Usage | undefined }) => (
  <Facts
    facts={[
      ['Last used', <When key="used" at={usage?.lastUsedAt} never="Not yet" />],
      ['From', usage?.lastAddress ?? 'No address yet'],
      ['Requests in 24 h', <Requests key="requests" of={of} usage={usage} />],
    ]}
  />
)
