import type { ReactNode } from 'react'
import { classes } from './classes'

/** Something that happened on a day. */
export type TimelineEvent = {
  key: string
  /** The day as machines read it, by which events are sorted, and as people do. */
  day: string
  when: string
  title: ReactNode
  /** What stands below the title: a method, a note. */
  text?: ReactNode
  /** An amount at the end of the line. */
  amount?: string | undefined
  /** It counts from a later day on. */
  isAhead?: boolean
  action?: ReactNode
}

/** What happened with a record, day by day. */
export function Timeline({ label, events }: { label: string; events: readonly TimelineEvent[] }) {
  return (
    <ol aria-label={label} className="border-s-2 border-line ps-5">
      {events.map(({ key, day, when, title, text, amount, isAhead, action }) => (
        <li
          key={key}
          className={classes(
            'relative py-2 break-inside-avoid before:absolute before:-start-[1.625rem] before:top-4 before:size-2.5 before:rounded-full before:border-2 before:border-ground before:bg-edge',
            isAhead && 'before:border-edge before:bg-ground',
          )}
        >
          <div className="flex items-baseline gap-x-3 gap-y-0.5 max-sm:flex-wrap">
            <time
              dateTime={day}
              className="w-28 shrink-0 text-md whitespace-nowrap text-quiet tabular-nums max-sm:w-full"
            >
              {when}
            </time>
            <div className="min-w-0 flex-1 wrap-anywhere">{title}</div>
            {amount && <span className="font-medium whitespace-nowrap tabular-nums">{amount}</span>}
          </div>
          {(text || action) && (
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 text-md text-quiet sm:ps-31">
              <div className="min-w-0 wrap-anywhere">{text}</div>
              {action}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

/** Returns events from the first to the last, or the other way round. Those of one day keep their order. */
export const inOrder = (events: readonly TimelineEvent[], newestFirst: boolean): TimelineEvent[] =>
  events.toSorted((a, b) => (newestFirst ? b.day.localeCompare(a.day) : a.day.localeCompare(b.day)))
