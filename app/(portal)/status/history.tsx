import { classes } from '@/app/ui/classes'
import { dayTone, uptimeOf } from './uptime'

type Day = { day: string; checks: number; faults: number; hours: number }

const COLORS = { none: 'bg-line', good: 'bg-good', warn: 'bg-warn', danger: 'bg-danger' }

/** Shows the days of a part as a row of marks, and lists the days with failed checks. */
export function History({ name, days }: { name: string; days: Day[] }) {
  const uptime = uptimeOf(days)
  const checked = days.filter(({ checks }) => checks > 0)
  const faulty = checked.filter(({ faults }) => faults > 0)
  const said =
    uptime === undefined
      ? 'No checks yet'
      : `${uptime} of checks passed, on ${checked.length} ${checked.length === 1 ? 'day' : 'days'}`
  return (
    <>
      <div role="img" aria-label={`${name}: ${said}`} className="flex h-8 gap-px sm:gap-0.5">
        {days.map((day) => (
          <span
            key={day.day}
            title={`${day.day}: ${day.checks === 0 ? 'no checks' : `${day.checks - day.faults} of ${day.checks} checks passed`}`}
            className={classes('min-w-0 flex-1 rounded-xs', COLORS[dayTone(day)])}
          />
        ))}
      </div>
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-quiet">
        <span>{days.length} days ago</span>
        <span className="max-sm:order-last max-sm:w-full">{said}</span>
        <span>Today</span>
      </p>
      {faulty.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="w-fit text-quiet">
            {faulty.length === 1 ? '1 day with failed checks' : `${faulty.length} days with failed checks`}
          </summary>
          <ul className="mt-1 grid gap-0.5">
            {faulty.toReversed().map(({ day, checks, faults }) => (
              <li key={day}>
                <span className="font-mono">{day}</span> {faults.toLocaleString('en-US')} of{' '}
                {checks.toLocaleString('en-US')} checks failed
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
