import type { ReactNode } from 'react'
import { Time } from '@/app/session/time'
import { Badge } from '@/app/ui/badge'
import { Countdown } from '@/app/ui/countdown'
import { Facts } from '@/app/ui/facts'
import { IDLE_DAYS, isIdle } from '@/lib/auth/key-state'
import type { Key } from './arrange'
import { KeyActions } from './key-actions.client'
import { type Looking, RecentUse, Requests, STATES, subjectOf, type Usage, When } from './key-parts'
import { rightsText } from './rights-text'

/** Shows a key's permissions in a sentence, with its scopes below. */
function Rights({ of }: { of: Key }) {
  return (
    <details>
      <summary className="w-fit">{rightsText(of)}</summary>
      <ul className="mt-1 font-mono text-sm">
        {of.scopes.map((scope) => (
          <li key={scope}>{scope}</li>
        ))}
      </ul>
    </details>
  )
}

function limitText(perMinute: number | null, insteadOfAddress: boolean): string {
  if (perMinute === null) return 'Standard'
  return `${perMinute.toLocaleString('en-US')} per minute${insteadOfAddress ? ', replaces the limit per address' : ''}`
}

function factsOf(key: Key, usage: Usage | undefined): [string, ReactNode][] {
  const { allowedAddresses, perMinute, insteadOfAddress, expiresAt } = key
  return [
    ['Permissions', <Rights key="rights" of={key} />],
    ['Last used', <When key="used" at={usage?.lastUsedAt} never="Not yet" dayOnly />],
    ['Requests in 24 h', <Requests key="requests" of={key} usage={usage} />],
    ['Expires', expiresAt ? <Time key="expires" at={expiresAt} dayOnly /> : 'Never'],
    ['Allowed IPs', allowedAddresses ? <code key="allowed">{allowedAddresses.join(', ')}</code> : 'Any'],
    ['Rate limit', limitText(perMinute, insteadOfAddress)],
  ]
}

/** Returns hints for the key's owner. */
function hintsOf(key: Key, usage: Usage | undefined, now: Date): string[] {
  const lastUsedAt = usage?.lastUsedAt ? new Date(usage.lastUsedAt) : null
  return [
    isIdle(key.createdAt, lastUsedAt, now) && `Not used for ${IDLE_DAYS} days. Revoke it if nothing needs it.`,
    key.expiresAt === null && 'Never expires. Rotate it regularly.',
  ].filter((hint) => hint !== false)
}

const Hints = ({ hints }: { hints: string[] }) =>
  hints.length > 0 && (
    <ul className="mt-3 grid gap-1 text-sm text-warn">
      {hints.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  )

type Props = {
  of: Key
  old: readonly Key[]
  usage: Usage | undefined
  now: Date
  looking: Looking
  children?: ReactNode
}

/** Shows a key in use: its settings, its use, its actions, and its old secrets. */
export function KeyCard({ of, old, usage, now, looking, children }: Props) {
  const { text, tone } = STATES[of.state]
  return (
    <section id={of.id} aria-label={of.name} className="rounded-lg border border-line bg-raised p-4 sm:p-5">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <code>{of.masked}</code>
          <Badge tone={tone}>{text}</Badge>
          {of.state === 'overlap' && of.expiresAt && <Countdown until={of.expiresAt} done="ended" />}
        </div>
        <KeyActions
          {...looking}
          subject={subjectOf(of, old)}
          can={of.state === 'active' ? ['rotate', 'change', 'revoke'] : ['revoke']}
          use={<RecentUse of={of} usage={usage} />}
        />
      </div>
      <Facts aligned facts={factsOf(of, usage)} />
      <Hints hints={hintsOf(of, usage, now)} />
      {children}
    </section>
  )
}
