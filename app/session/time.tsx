import { absolute } from '@/lib/portal/moments'
import { RelativeTicks } from '../ui/ticks.client'
import { desk } from './desk'

/** How far away a moment is told in words too; farther ones say enough by their day. */
const RELATIVE_MS = 22 * 3_600_000

/**
 * A moment by the contractor's clock, and how long ago it was when that is less than a day; its tooltip has it in UTC. The server's clock is passed along, so that the
 * browser first renders the same text.
 * @param seconds whether to show seconds, as in a log
 * @param dayOnly whether to show the day alone
 */
export async function Time({
  at,
  seconds = false,
  dayOnly = false,
}: {
  at: Date
  seconds?: boolean
  dayOnly?: boolean
}) {
  const { now, words } = await desk()
  return (
    <time dateTime={at.toISOString()} title={absolute(at, true)}>
      <span className="whitespace-nowrap tabular-nums">
        {dayOnly ? words.day(words.dayOf(at)) : words.moment(at, now, seconds)}
      </span>
      {(dayOnly || Math.abs(at.getTime() - now.getTime()) < RELATIVE_MS) && (
        <span className="text-sm whitespace-nowrap text-quiet">
          {' '}
          <RelativeTicks at={at.toISOString()} now={now.toISOString()} />
        </span>
      )}
    </time>
  )
}
