import { Time } from '@/app/session/time'
import { Badge } from '@/app/ui/badge'
import type { Key } from './arrange'
import { KeyActions } from './key-actions.client'
import { type Looking, RecentUse, subjectOf, type Usage, type UsedFrom, When } from './key-parts'

type Props = { of: Key; usage: Usage | undefined; usedFrom: UsedFrom; looking: Looking }

/** Shows an old secret that still works: how long, and which addresses still use it. */
export function OldSecret({ of, usage, usedFrom, looking }: Props) {
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
