import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { rangeOf } from '../../usage/range'
import { arrange, type Key, secretsOf } from '../arrange'
import { KeyCard } from '../key-card'
import { readerContext } from '../looking'
import { OldSecret } from '../old-secret'
import { readKeys, readUsedSince } from '../read'
import { RecentRequests, UseByDay } from '../recent'

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
