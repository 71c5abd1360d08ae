import type { z } from 'zod'
import { Notice } from '@/app/ui/notice'
import { Time } from '@/app/ui/time'
import { cleanText } from '@/lib/core/clean'
import type { getOverview } from '@/lib/operations/overview/get-overview'

type Stopped = z.output<typeof getOverview.output>['stopped'][number]

/** What is wrong, what its moment means, and what somebody does about it. */
const WORDS: Record<Stopped['what'], { what: string; since: string; fix: string }> = {
  reconnect: { what: 'must be connected again', since: 'Since', fix: 'Connect again' },
  failing: { what: 'cannot be read', since: 'Data is from', fix: 'See why' },
  late: { what: 'brings nothing new', since: 'Data is from', fix: 'See why' },
  unset: { what: 'is no longer set up on this server', since: 'Data is from', fix: 'See what is missing' },
  paused: { what: 'was paused, because it kept failing', since: 'Since', fix: 'Fix' },
  pausedByPerson: { what: 'is paused', since: 'Since', fix: 'Resume' },
}

/** Says which data no longer comes in by itself, since when, and where to fix it. */
export function StoppedData({ stopped }: { stopped: Stopped[] }) {
  if (stopped.length === 0) return null
  const isAsked = stopped.every(({ what }) => what === 'pausedByPerson')
  return (
    <div className="mb-6">
      <Notice tone={isAsked ? 'neutral' : 'warn'} title="Data does not come in by itself:">
        <ul className="grid gap-2">
          {stopped.map(({ name, what, since, reason, path }) => (
            <li key={`${path} ${name}`} className="wrap-anywhere">
              <span className="font-semibold">{cleanText(name)}</span> {WORDS[what].what}. {WORDS[what].since}{' '}
              <Time at={new Date(since)} />.{' '}
              {path ? <a href={path}>{WORDS[what].fix}</a> : 'An administrator can fix it.'}
              {reason && <span className="block text-sm text-quiet">{cleanText(reason)}</span>}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
