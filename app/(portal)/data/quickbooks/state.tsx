import type { z } from 'zod'
import { Badge, type Tone } from '@/app/ui/badge'
import { Notice } from '@/app/ui/notice'
import { Countdown, Time } from '@/app/ui/time'
import type { getConnector } from '@/lib/operations/connectors/get-connector'

export type Shown = z.output<typeof getConnector.output>

const WORDS: Record<Shown['state'], [tone: Tone, word: string]> = {
  off: ['neutral', 'Not set up'],
  none: ['neutral', 'Not connected'],
  syncing: ['accent', 'Reading everything'],
  current: ['good', 'Up to date'],
  throttled: ['warn', 'Throttled'],
  failing: ['warn', 'Failing'],
  reconnect: ['bad', 'Reconnect needed'],
  disconnected: ['neutral', 'Disconnected'],
}

export function StateBadge({ state }: Shown) {
  const [tone, word] = WORDS[state]
  return <Badge tone={tone}>{word}</Badge>
}

const count = (n: number) => n.toLocaleString('en-US')

/** What a person should know of the state, and what happens next. */
export function StateNotice({ state, error, syncedAt, throttledUntil, nextAt, missing, runs }: Shown) {
  if (state === 'off')
    return (
      <Notice title="QuickBooks cannot be connected here yet.">
        <p>
          Whoever runs this service sets {missing.join(', ')}. The guide says where Intuit shows them. Files that you
          export from QuickBooks can be loaded meanwhile.
        </p>
      </Notice>
    )
  if (state === 'syncing')
    return (
      <Notice
        tone="accent"
        title={syncedAt ? 'Everything is being read again.' : 'Everything is being read for the first time.'}
      >
        <p>{count(runs[0]?.read ?? 0)} objects so far. You can close this page; it goes on by itself.</p>
      </Notice>
    )
  if (state === 'throttled')
    return (
      <Notice tone="warn" title="QuickBooks takes no more requests for now.">
        <p>
          It goes on by itself in {throttledUntil && <Countdown until={new Date(throttledUntil)} done="a moment" />},
          where it stopped.
        </p>
      </Notice>
    )
  if (state === 'failing')
    return (
      <Notice tone="warn" title="The last attempt failed.">
        <p>{error}</p>
        {nextAt && (
          <p>
            Next attempt: <Time at={new Date(nextAt)} />
          </p>
        )}
      </Notice>
    )
  if (state === 'reconnect')
    return (
      <Notice tone="bad" title="The connection is over.">
        <p>{error}</p>
        <p>Nothing was deleted. What was read stays, and reading goes on from there.</p>
      </Notice>
    )
  return null
}
