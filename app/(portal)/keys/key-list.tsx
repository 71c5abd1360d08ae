import type { ReactNode } from 'react'
import { Badge } from '@/app/ui/badge'
import { type Column, Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { listKeyAddresses, listKeyUsage } from '@/lib/operations/requests/usage'
import { arrange, type Key } from './arrange'
import { KeyCard } from './key-card'
import { type Looking, STATES, type Usage, When } from './key-parts'
import { OldSecret } from './old-secret'

const HOUR_MS = 3_600_000
/** The longest overlap, in whole hours. */
const OVERLAP_HOURS = 168

/** Returns the addresses from which an old secret was used after its successor was created. */
async function usedSince(actor: PersonActor, now: Date, { id }: Key, since: Date) {
  const hours = Math.min(OVERLAP_HOURS, Math.max(1, Math.ceil((now.getTime() - since.getTime()) / HOUR_MS)))
  const { items } = await execute(listKeyAddresses, { actor, now }, { keyId: id, hours })
  return items.filter(({ lastUsedAt }) => lastUsedAt !== null && new Date(lastUsedAt) >= since)
}

/** Lists ended keys, with the last refused request of each. */
function EndedKeys({ title, keys, usageOf }: { title: string; keys: Key[]; usageOf: (key: Key) => Usage | undefined }) {
  if (keys.length === 0) return null
  const columns: Column<Key>[] = [
    {
      name: 'name',
      width: 'sm:w-52',
      head: 'Name',
      cell: ({ name }) => name,
    },
    {
      name: 'masked',
      width: 'sm:w-44',
      head: 'Key',
      mono: true,
      cell: ({ masked }) => <span className="whitespace-nowrap">{masked}</span>,
    },
    {
      name: 'state',
      width: 'sm:w-32',
      head: 'State',
      cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>,
    },
    {
      name: 'ended',
      width: 'sm:w-50',
      head: 'Ended',
      cell: ({ revokedAt, expiresAt }) => {
        const at = revokedAt ?? expiresAt
        return at && <Time at={at} />
      },
    },
    {
      name: 'used',
      width: 'sm:w-50',
      head: 'Last used',
      cell: (key) => <When at={usageOf(key)?.lastUsedAt} never="Never" />,
    },
    {
      name: 'refused',
      width: 'sm:w-50',
      head: 'Last refused',
      cell: (key) => <When at={usageOf(key)?.lastRefusedAt} never="–" />,
    },
    {
      name: 'log',
      width: 'sm:w-28',
      head: 'Log',
      cell: ({ id, name, masked }) => (
        <a href={`/logs?key=${encodeURIComponent(id)}`}>
          Requests
          <span className="sr-only">
            {' '}
            with {name}, {masked}
          </span>
        </a>
      ),
    },
  ]
  return (
    <details className="mt-6">
      <summary className="w-fit font-semibold">
        {title} ({keys.length})
      </summary>
      <div className="mt-3">
        <Table caption={title} columns={columns} rows={keys} rowKey={({ id }) => id} />
      </div>
    </details>
  )
}

/** Lists a contractor's keys: those in use with their old secrets, then ended ones. `none` is shown when there are no keys. */
export async function KeyList({ actor, looking, none }: { actor: PersonActor; looking: Looking; none: ReactNode }) {
  const now = new Date()
  const [{ items: keys }, { items: usages }] = await Promise.all([
    execute(listKeys, { actor, now }, {}),
    execute(listKeyUsage, { actor, now }, {}),
  ])
  if (keys.length === 0) return none
  const byId = new Map(keys.map((key) => [key.id, key]))
  const usageById = new Map(usages.map((usage) => [usage.keyId, usage]))
  const usageOf = ({ id }: Key) => usageById.get(id)
  const { inUse, ended, explored } = arrange(keys)
  const rotated = inUse.flatMap(({ old }) => old)
  const usedFrom = new Map(
    await Promise.all(
      rotated.map(async (key) => {
        const since = byId.get(key.rotatedTo ?? '')?.createdAt ?? key.createdAt
        return [key.id, await usedSince(actor, now, key, since)] as const
      }),
    ),
  )
  return (
    <>
      <h2 className="mb-3">In use</h2>
      {inUse.length === 0 && <p className="text-quiet">No active keys. Requests need one: create a key.</p>}
      <ul className="grid gap-4">
        {inUse.map(({ key, old }) => (
          <KeyCard key={key.id} of={key} old={old} usage={usageOf(key)} now={now} looking={looking}>
            {old.map((each) => (
              <OldSecret
                key={each.id}
                of={each}
                usage={usageOf(each)}
                usedFrom={usedFrom.get(each.id) ?? []}
                looking={looking}
              />
            ))}
          </KeyCard>
        ))}
      </ul>
      <EndedKeys title="Ended keys" keys={ended} usageOf={usageOf} />
      <EndedKeys title="Expired explorer keys" keys={explored} usageOf={usageOf} />
    </>
  )
}
