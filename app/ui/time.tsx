import { absolute } from '@/lib/portal/moments'
import { CountdownTicks, RelativeTicks } from './ticks.client'

/**
 * A moment: UTC, and how long ago. The server's clock is sent along, so that the first words in the browser are the server's.
 * @param seconds whether the seconds are shown, as in a log
 */
export function Time({ at, seconds = false }: { at: Date; seconds?: boolean }) {
  const now = new Date()
  return (
    <time dateTime={at.toISOString()} className="whitespace-nowrap">
      <span className="font-mono text-sm">{absolute(at, seconds)}</span>{' '}
      <span className="text-sm text-quiet">
        <RelativeTicks at={at.toISOString()} now={now.toISOString()} />
      </span>
    </time>
  )
}

/** What is left until a moment, ticking; then `done`. Not read out as it ticks. */
export function Countdown({ until, done }: { until: Date; done: string }) {
  return (
    <time dateTime={until.toISOString()} title={absolute(until, true)} className="font-mono text-sm whitespace-nowrap">
      <CountdownTicks until={until.toISOString()} now={new Date().toISOString()} done={done} />
    </time>
  )
}
