import type { Metadata } from 'next'
import { connection } from 'next/server'
import type * as z from 'zod'
import { desk } from '@/app/session/desk'
import { Badge } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { classes } from '@/app/ui/classes'
import type { TableColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import { SERVICE } from '@/lib/core/service'
import { FEED_PATH } from '@/lib/http/endpoint'
import { execute } from '@/lib/operations/execute'
import { getStatus, MOST_WAITING } from '@/lib/operations/status/get-status'
import { PARTS, STATUS_DAYS } from '@/lib/operations/status/parts'
import { dayTone, uptimeOf } from './uptime'

type Work = z.output<typeof getStatus.output>['work'][number]

const STATES = {
  ok: { tone: 'good', word: 'Succeeded' },
  failed: { tone: 'danger', word: 'Failed' },
  late: { tone: 'danger', word: 'Late' },
  unfinished: { tone: 'warn', word: 'Unfinished' },
  pending: { tone: 'neutral', word: 'Not run yet' },
} as const satisfies Record<Work['state'], { tone: string; word: string }>

const waitingText = (waiting: number | null) =>
  waiting === null ? undefined : `${waiting.toLocaleString('en-US')}${waiting >= MOST_WAITING ? ' or more' : ''}`

const COLUMNS: TableColumn<Work>[] = [
  { name: 'work', head: 'Background work', kind: 'text', isLong: true, value: ({ title }) => title },
  { name: 'ran', head: 'Last run', kind: 'moment', value: ({ ranAt }) => ranAt },
  {
    name: 'state',
    head: 'Result',
    kind: 'parts',
    parts: ({ state, unfinished }) => (
      <>
        <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
        {unfinished.length > 0 && <span className="ms-2 text-sm text-quiet">Left: {unfinished.join(', ')}</span>}
      </>
    ),
  },
  { name: 'waiting', head: 'Waiting', kind: 'count', value: ({ waiting }) => waitingText(waiting) },
]

/** Shows when each kind of background work last ran, how that ended, and what waits for it. */
function BackgroundWork({ work, desk }: { work: Work[]; desk: Desk }) {
  return (
    <DataTable
      desk={desk}
      caption="Background work: the last run of each kind, and what waits for it"
      captionShown
      columns={COLUMNS}
      rows={work}
      rowKey={({ job }) => job}
    />
  )
}

type Day = { day: string; checks: number; faults: number; hours: number }

const COLORS = { none: 'bg-line', good: 'bg-good', warn: 'bg-warn', danger: 'bg-danger' }

/** Shows the days of a part as a row of marks, and lists the days with failed checks. */
function History({ name, days }: { name: string; days: Day[] }) {
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

export const metadata: Metadata = {
  title: 'Status',
  description: `The current status of ${SERVICE.name}, and its checks on each of the last ${STATUS_DAYS} days.`,
  alternates: { canonical: '/status' },
}

const NOW = {
  healthy: { tone: 'good', word: 'Operational', said: 'All systems operational' },
  degraded: { tone: 'warn', word: 'Degraded', said: 'Some parts have problems' },
  unhealthy: { tone: 'danger', word: 'Outage', said: 'The service cannot answer requests' },
} as const

export default async function StatusPage() {
  await connection()
  const now = new Date()
  const answer = await execute(getStatus, { now }, () => ({ values: {}, whole: 'input' }), 'text')
  const { status, summary, parts, work } = getStatus.output.parse(JSON.parse(answer.text))
  const { tone, word, said } = NOW[status]
  // The badge says the status.
  const figures = summary.replace(/^\w+: /, '').replace(/^./, (first) => first.toUpperCase())
  return (
    <>
      <PageHead
        title="Status"
        text={`${SERVICE.name} checks itself every minute. These are the checks of the last ${STATUS_DAYS} days.`}
        actions={
          <>
            <LinkButton size="small" href="/developers/guides/changelog">
              API changelog
            </LinkButton>
            <LinkButton size="small" href={FEED_PATH}>
              RSS
            </LinkButton>
          </>
        }
      />
      <div className="grid gap-5">
        <Card title={said} actions={<Badge tone={tone}>{word}</Badge>}>
          <p className="text-quiet">
            {figures}. Checked{' '}
            <time dateTime={now.toISOString()}>{now.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>.
          </p>
        </Card>
        {parts.map(({ part, days }) => (
          <Card key={part} title={PARTS[part].name} text={`${PARTS[part].asks}.`}>
            <History name={PARTS[part].name} days={days} />
          </Card>
        ))}
        {work.length > 0 && <BackgroundWork work={work} desk={await desk()} />}
        <p className="max-w-prose text-sm text-quiet">
          On a day without checks the service was not running or not installed yet. Checks that the database could not
          store are stored once it answers again.
        </p>
      </div>
    </>
  )
}
