import type * as z from 'zod'
import { Time } from '@/app/session/time'
import { Badge, type Tone } from '@/app/ui/badge'
import { Countdown } from '@/app/ui/countdown'
import { Notice } from '@/app/ui/notice'
import type { getConnector } from '@/lib/operations/connectors/get-connector'

export type Shown = z.output<typeof getConnector.output>

const WORDS: Record<Shown['state'], [tone: Tone, word: string]> = {
  off: ['neutral', 'Not set up'],
  none: ['neutral', 'Not connected'],
  syncing: ['active', 'Reading everything'],
  current: ['good', 'Up to date'],
  throttled: ['warn', 'Throttled'],
  failing: ['warn', 'Failing'],
  reconnect: ['danger', 'Reconnect needed'],
  disconnected: ['neutral', 'Disconnected'],
}

export function StateBadge({ state }: Shown) {
  const [tone, word] = WORDS[state]
  return <Badge tone={tone}>{word}</Badge>
}

const count = (n: number) => n.toLocaleString('en-US')

/** A notice about the state of the connection, and what happens next. */
export function StateNotice({ state, error, syncedAt, throttledUntil, nextAt, missing, runs }: Shown) {
  if (state === 'off')
    return (
      <Notice title="QuickBooks is not set up here.">
        <p>
          Ask your Plumbline administrator. <a href="/data/load">Load files</a> that you export from QuickBooks
          meanwhile.
        </p>
        <details>
          <summary className="w-fit">Details for them</summary>
          <p>Set {missing.join(', ')}. The guide says where Intuit shows them.</p>
        </details>
      </Notice>
    )
  if (state === 'syncing')
    return (
      <Notice
        tone="active"
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
      <Notice tone="danger" title="The connection is over.">
        <p>{error}</p>
        <p>Nothing was deleted. What was read stays, and reading goes on from there.</p>
      </Notice>
    )
  return null
}
