import { absolute } from '@/lib/portal/moments'
import { CountdownTicks } from './ticks.client'

/** The time left, counting down; then `done`. Screen readers do not announce each second. */
export function Countdown({ until, done }: { until: Date; done: string }) {
  return (
    <time
      dateTime={until.toISOString()}
      title={absolute(until, true)}
      className="text-sm whitespace-nowrap tabular-nums"
    >
      <CountdownTicks until={until.toISOString()} now={new Date().toISOString()} done={done} />
    </time>
  )
}
