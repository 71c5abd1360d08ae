import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { Badge } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { Countdown } from '@/app/ui/countdown'
import { Facts } from '@/app/ui/facts'
import { IDLE_DAYS, isIdle } from '@/lib/auth/key-state'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { rangeOf } from '../../usage/range'
import { arrange, type Key, secretsOf } from '../arrange'
import { KeyActions } from '../key-actions.client'
import { type Looking, RecentUse, Requests, STATES, subjectOf, type Usage, type UsedFrom, When } from '../key-parts'
import { readerContext } from '../looking'
import { readKeys, readUsedSince } from '../read'
import { RecentRequests, UseByDay } from '../recent'
import { rightsText } from '../rights-text'

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

type KeyCardProps = {
  of: Key
  old: readonly Key[]
  usage: Usage | undefined
  now: Date
  looking: Looking
  children?: ReactNode
}

/** Shows a key in use: its settings, its use, its actions, and its old secrets. */
function KeyCard({ of, old, usage, now, looking, children }: KeyCardProps) {
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

type OldSecretProps = { of: Key; usage: Usage | undefined; usedFrom: UsedFrom; looking: Looking }

/** Shows an old secret that still works: how long, and which addresses still use it. */
function OldSecret({ of, usage, usedFrom, looking }: OldSecretProps) {
  return (
    <div id={of.id} className="mt-4 rounded-md bg-sunken p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone="warn">Old secret</Badge>
        <code>{of.masked}</code>
        {of.expiresAt && (
          <span>
            works until <Time at={of.expiresAt} />
          </span>
        )}
        <div className="ms-auto">
          <KeyActions {...looking} subject={subjectOf(of)} can={['revoke']} use={<RecentUse of={of} usage={usage} />} />
        </div>
      </div>
      {usedFrom.length === 0 ? (
        <p className="mt-2 text-good">Nobody has used it since the rotation. It can be revoked.</p>
      ) : (
        <>
          <p className="mt-2">Still used since the rotation, from:</p>
          <ul className="mt-1 grid gap-1">
            {usedFrom.map(({ address, lastUsedAt }) => (
              <li key={address} className="flex flex-wrap gap-x-3">
                <a
                  href={`/logs?key=${encodeURIComponent(of.id)}&address=${encodeURIComponent(address)}`}
                  className="font-mono wrap-anywhere"
                >
                  {address}
                </a>
                <When at={lastUsedAt} never="" />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export const metadata: Metadata = { title: 'Key' }

type Place = { params: Promise<{ id: string }> }

/** Returns a key with its earlier secrets that still work: after a rotation, that of the secret that replaced the one asked for. */
function find(keys: readonly Key[], id: string): { key: Key; old: Key[] } | undefined {
  const { inUse } = arrange(keys)
  const working = inUse.find(({ key, old }) => [key, ...old].some((each) => each.id === id))
  const key = keys.find((each) => each.id === id)
  return working ?? (key && { key, old: [] })
}

/** One key: its permissions, its use, what can be done with it, and its old secrets. */
export default async function KeyPage({ params }: Place) {
  const { actor } = await requireActor(listKeys)
  const at = await desk()
  const { now } = at
  const { id } = await params
  const { keys, usageOf } = await readKeys(actor, now)
  const found = find(keys, id)
  if (!found) notFound()
  const { key, old } = found
  // What ended before has no requests in what is shown.
  const secrets = secretsOf(keys, key, rangeOf('30d', at).from)
  const looking = readerContext(actor)
  const usedFrom = await Promise.all(
    old.map((each) => {
      const next = keys.find((other) => other.id === each.rotatedTo)
      return readUsedSince(actor, now, each, next?.createdAt ?? each.createdAt)
    }),
  )
  return (
    <>
      <PageHead
        title={key.name}
        under={[{ name: 'Keys', href: '/keys' }]}
        actions={<LinkButton href={`/logs?key=${encodeURIComponent(key.id)}`}>View logs</LinkButton>}
      />
      <KeyCard of={key} old={old} usage={usageOf(key)} now={now} looking={looking}>
        {old.map((each, i) => (
          <OldSecret key={each.id} of={each} usage={usageOf(each)} usedFrom={usedFrom[i] ?? []} looking={looking} />
        ))}
      </KeyCard>
      <UseByDay actor={actor} secrets={secrets} at={at} />
      <RecentRequests actor={actor} secrets={secrets} at={at} />
    </>
  )
}
