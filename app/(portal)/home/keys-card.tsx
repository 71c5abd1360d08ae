import { Card } from '@/app/ui/card'
import { Countdown } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { isIdle } from '@/lib/auth/key-state'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { listKeyUsage } from '@/lib/operations/requests/usage'

const DAY_MS = 86_400_000
/** A key is listed when it expires within this many days, or stays unused this long after it was created. */
const SOON_DAYS = 14
const UNUSED_DAYS = 7
const MOST_LISTED = 4

/** Lists keys that need attention: those that expire soon, and unused ones. */
export async function KeysCard({ actor, now }: { actor: PersonActor; now: Date }) {
  const [{ items: keys }, { items: usages }] = await Promise.all([
    execute(listKeys, { actor, now }, {}),
    execute(listKeyUsage, { actor, now }, {}),
  ])
  const usedAt = new Map(usages.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
  const active = keys.filter(({ state }) => state === 'active')
  const ending = active.flatMap(({ id, name, expiresAt }) =>
    expiresAt && expiresAt.getTime() - now.getTime() < SOON_DAYS * DAY_MS ? [{ id, name, expiresAt }] : [],
  )
  const unused = active.filter(({ id, createdAt }) => {
    const last = usedAt.get(id)
    if (last) return isIdle(createdAt, new Date(last), now)
    return now.getTime() - createdAt.getTime() > UNUSED_DAYS * DAY_MS
  })
  return (
    <Card title="Keys" actions={<a href="/keys">All keys</a>}>
      <p className="text-2xl tabular-nums">
        {active.length} <span className="text-base text-quiet">in use</span>
      </p>
      {ending.length === 0 && unused.length === 0 && active.length > 0 && (
        <p className="mt-2 text-quiet">None expires within {SOON_DAYS} days, and none is unused.</p>
      )}
      <ul className="mt-2 grid gap-1">
        {ending.slice(0, MOST_LISTED).map(({ id, name, expiresAt }) => (
          <li key={id} className="text-warn">
            <a href={`/keys#${id}`}>{name}</a> expires in <Countdown until={expiresAt} done="a moment" />
          </li>
        ))}
        {unused.slice(0, MOST_LISTED).map(({ id, name }) => (
          <li key={id}>
            <a href={`/keys#${id}`}>{name}</a> <span className="text-quiet">is unused</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
