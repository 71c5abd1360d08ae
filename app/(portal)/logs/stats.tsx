import type * as z from 'zod'
import { Time } from '@/app/session/time'
import { Bars } from '@/app/ui/chart-bars'
import { Facts } from '@/app/ui/facts'
import type { Desk } from '@/lib/core/desk'
import type { getRequestStats } from '@/lib/operations/requests/stats'
import { stepWords, withoutGaps } from './bars'

type Stats = z.output<typeof getRequestStats.output>

const DAY_SECONDS = 86_400

const time = (milliseconds: number | null) =>
  milliseconds === null ? '–' : milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`

/** Returns the number and share of failed requests. */
function share({ requests, errors }: Stats, { number }: Desk['words']): string {
  if (errors === 0) return 'none'
  const percent = (errors / requests) * 100
  return `${number(errors)} (${percent < 0.1 ? '<0.1' : percent.toFixed(1)}%)`
}

const figure = (text: string, href?: string) => (
  <span className="tabular-nums">{href ? <a href={href}>{text}</a> : text}</span>
)

type Props = {
  stats: Stats
  /** The days, in words. */
  period: string
  /** The log of the errors alone, where others are shown too. */
  errorsHref: string | undefined
  desk: Desk
}

/** Shows figures of the filtered requests and bars over time. */
export function RequestStats({ stats, period, errorsHref, desk }: Props) {
  const { from, to, requests, errors, sample, p50Ms, p95Ms, step, countedSince } = stats
  const { words } = desk
  const bars = withoutGaps(stats.bars, { from: countedSince ?? from, to, step })
  const begins = bars.map(({ at }) => new Date(at))
  const isOfDays = step * bars.length > DAY_SECONDS * 2
  return (
    <div className="mb-4">
      <Facts
        facts={[
          ['Requests', figure(words.number(requests))],
          ['Errors', figure(share(stats, words), errors > 0 ? errorsHref : undefined)],
          ['p50', figure(time(p50Ms))],
          ['p95', figure(time(p95Ms))],
        ]}
      />
      <Bars
        title="Requests over time"
        label={`Requests over time: ${words.count(requests, 'request')}, ${words.count(errors, 'error')}`}
        note={
          <>
            {period}, per {stepWords(step)}
            {countedSince && (
              <>
                {' · the newest 5,000, since '}
                <Time at={new Date(countedSince)} seconds />
              </>
            )}
            {!countedSince && sample < requests && ` · p50 and p95 of the newest ${words.number(sample)}`}
          </>
        }
        height={80}
        whole
        series={[
          { name: 'Requests', tone: 'third', values: bars.map((bar) => bar.requests) },
          { name: 'Errors', tone: 'fault', values: bars.map((bar) => bar.errors) },
        ]}
        places={begins.map((at) => (isOfDays ? words.shortDay(words.dayOf(at)) : words.clock(at, step < 60)))}
        markText={words.number}
        text={words.number}
        desk={desk}
        figures={{
          rows: bars.filter((bar) => bar.requests > 0),
          rowKey: ({ at }) => at,
          columns: [
            { name: 'at', head: 'Time', kind: 'moment', value: ({ at }) => new Date(at) },
            { name: 'requests', head: 'Requests', kind: 'count', value: (bar) => bar.requests },
            { name: 'errors', head: 'Errors', kind: 'count', value: (bar) => bar.errors },
          ],
        }}
      />
    </div>
  )
}
