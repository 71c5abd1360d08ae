import { absolute } from '@/lib/portal/moments'
import { CountdownTicks, RelativeTicks } from './ticks.client'

/**
 * A time in UTC, and how long ago it was. The server's clock is passed along, so that the browser first renders the same text.
 * @param seconds whether to show seconds, as in a log
 * @param dayOnly whether to show the day alone, with the time as a tooltip
 */
export function Time({ at, seconds = false, dayOnly = false }: { at: Date; seconds?: boolean; dayOnly?: boolean }) {
  const now = new Date()
  const text = absolute(at, seconds)
  return (
    <time dateTime={at.toISOString()} title={dayOnly ? text : undefined}>
      <span className="font-mono text-sm whitespace-nowrap">{dayOnly ? text.slice(0, 10) : text}</span>{' '}
      <span className="text-sm whitespace-nowrap text-quiet">
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
