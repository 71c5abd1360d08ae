import type { z } from 'zod'
import type { Tone } from '@/app/ui/badge'
import { Facts } from '@/app/ui/facts'
import { Time } from '@/app/ui/time'
import type { KeyState } from '@/lib/auth/key-state'
import type { listKeyAddresses, listKeyUsage } from '@/lib/operations/requests/usage'
import type { Addresses } from '@/lib/portal/first-call'
import { absolute } from '@/lib/portal/moments'
import type { Key } from './arrange'
import type { Subject } from './key-forms.client'

export type Usage = z.output<typeof listKeyUsage.output>['items'][number]
export type UsedFrom = z.output<typeof listKeyAddresses.output>['items']

/** Who looks, as far as a key's buttons must know. */
export type Looking = { contractorId: string; ownAddress: string; addresses: Addresses }

/** What a state is called, and what it means for the reader. */
export const STATES: Record<KeyState, { text: string; tone: Tone }> = {
  active: { text: 'Active', tone: 'good' },
  overlap: { text: 'Old secret', tone: 'warn' },
  replaced: { text: 'Replaced', tone: 'neutral' },
  expired: { text: 'Expired', tone: 'neutral' },
  revoked: { text: 'Revoked', tone: 'bad' },
}

/** No more of a key goes to the browser than its forms need. `old` are its secrets that still work after a rotation. */
export const subjectOf = (
  { id, name, masked, preset, allowedAddresses, perMinute }: Key,
  old: readonly Key[] = [],
): Subject => ({
  id,
  name,
  masked,
  preset,
  allowedAddresses,
  perMinute,
  old: old.map((each) => ({ masked: each.masked, endsAt: each.expiresAt && absolute(each.expiresAt) })),
})

/** A moment that may never have come. */
export const When = ({ at, never }: { at: string | null | undefined; never: string }) =>
  at ? <Time at={new Date(at)} /> : <span className="text-quiet">{never}</span>

/** Requests of the last 24 hours, as the way to them in the log. */
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

/** How a key was used lately, for whoever is about to end it: what they would break. */
export const UseLately = ({ of, usage }: { of: Key; usage: Usage | undefined }) => (
  <Facts
    facts={[
      ['Last used', <When key="used" at={usage?.lastUsedAt} never="Not yet" />],
      ['From', usage?.lastAddress ?? 'Nowhere yet'],
      ['Requests in 24 h', <Requests key="requests" of={of} usage={usage} />],
    ]}
  />
)
