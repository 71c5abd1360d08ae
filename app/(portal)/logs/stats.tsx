import type { z } from 'zod'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import type { getRequestStats } from '@/lib/operations/requests/stats'
import { absolute } from '@/lib/portal/moments'
import { DRAWING, placeBars, stepWords } from './bars'

type Stats = z.output<typeof getRequestStats.output>

const count = (figure: number) => figure.toLocaleString('en-US')
const time = (milliseconds: number | null) =>
  milliseconds === null ? '–' : milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`

/** Returns the number and share of failed requests. */
function share({ requests, errors }: Stats): string {
  if (errors === 0) return 'none'
  const percent = (errors / requests) * 100
  return `${count(errors)} (${percent < 0.1 ? '<0.1' : percent.toFixed(1)}%)`
}

/** Shows figures of the filtered requests and bars over time, drawn on the server. `words` describes the period. */
export function RequestStats({ stats, words }: { stats: Stats; words: string }) {
  const { from, to, requests, sample, p50Ms, p95Ms, step, bars, countedSince } = stats
  const placed = placeBars(bars, { from: countedSince ?? from, to, step })
  const facts: [string, string][] = [
    ['Requests', count(requests)],
    ['Errors', share(stats)],
    ['p50', time(p50Ms)],
    ['p95', time(p95Ms)],
  ]
  return (
    <figure aria-label="Requests over time" className="mb-4 rounded-lg border border-line bg-raised p-4">
      <figcaption className="mb-3 flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt className="text-sm text-quiet">{name}</dt>
              <dd className="font-mono tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <span className="text-sm text-quiet">
          {words}, per {stepWords(step)}
          {countedSince && (
            <>
              {' · the newest 5,000, since '}
              <Time at={new Date(countedSince)} seconds />
            </>
          )}
          {!countedSince && sample < requests && ` · p50 and p95 of the newest ${count(sample)}`}
        </span>
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${DRAWING.width} ${DRAWING.height}`}
        preserveAspectRatio="none"
        className="block h-16 w-full border-b border-line"
      >
        {placed.map(({ at, x, width, height, errorHeight, requests: all, errors }) => (
          <g key={at}>
            <title>{`${absolute(new Date(at))}: ${count(all)} requests, ${count(errors)} errors`}</title>
            <rect x={x} y={DRAWING.height - height} width={width} height={height} className="fill-edge" />
            <rect x={x} y={DRAWING.height - errorHeight} width={width} height={errorHeight} className="fill-bad" />
          </g>
        ))}
      </svg>
      <details className="mt-2">
        <summary className="w-fit text-sm text-quiet">Figures as a table</summary>
        <div className="mt-2 max-h-80 overflow-y-auto">
          <Table
            caption="Requests over time"
            rows={bars}
            rowKey={({ at }) => at}
            empty={<p className="text-quiet">No requests in this time.</p>}
            columns={[
              { name: 'at', width: 'sm:w-52', head: 'Time', mono: true, cell: ({ at }) => absolute(new Date(at)) },
              { name: 'requests', width: 'sm:w-28', head: 'Requests', end: true, cell: (bar) => count(bar.requests) },
              { name: 'errors', width: 'sm:w-28', head: 'Errors', end: true, cell: (bar) => count(bar.errors) },
            ]}
          />
        </div>
      </details>
    </figure>
  )
}
