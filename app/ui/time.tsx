import { absolute } from '@/lib/portal/moments'
import { CountdownTicks, RelativeTicks } from './ticks.client'

/**
 * A time in UTC, and how long ago it was. The server's clock is passed along, so that the browser first renders the same text.
 * @param seconds whether to show seconds, as in a log
 */
export function Time({ at, seconds = false }: { at: Date; seconds?: boolean }) {
  const now = new Date()
  return (
    <time dateTime={at.toISOString()} className="sm:whitespace-nowrap">
      <span className="font-mono text-sm whitespace-nowrap">{absolute(at, seconds)}</span>{' '}
      <span className="text-sm text-quiet">
        <RelativeTicks at={at.toISOString()} now={now.toISOString()} />
      </span>
    </time>
  )
}

/** The time left, counting down; then `done`. Screen readers do not announce each second. */
export function Countdown({ until, done }: { until: Date; done: string }) {
  return (
    <time dateTime={until.toISOString()} title={absolute(until, true)} className="font-mono text-sm whitespace-nowrap">
      <CountdownTicks until={until.toISOString()} now={new Date().toISOString()} done={done} />
    </time>
  )
}
