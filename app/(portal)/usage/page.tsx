import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Button, LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { Lines } from '@/app/ui/chart-lines'
import { Facts } from '@/app/ui/facts'
import { Field } from '@/app/ui/field'
import type { PersonActor } from '@/lib/auth/actor'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { getUsage, listKeyUsage } from '@/lib/operations/requests/usage'
import { NothingYet } from '../logs/empty'
import { logHref, type Search } from '../logs/filters'
import { KeyChoice } from '../logs/key-choice'
import { type KeyName, nameOf, readKeyNames } from '../logs/rows'
import { byDay, RANGES, type Range, type RangeName, rangeOf, type UsagePeriod } from './range'
import { EndpointTable, KeyTable } from './tables'

export const metadata: Metadata = { title: 'Usage' }

async function readUsage(actor: PersonActor, now: Date, { from, hours }: Range, keyId: string | undefined) {
  const ctx = { actor, now }
  const [usage, byKey, keys] = await Promise.all([
    execute(getUsage, ctx, { from: from.toISOString(), by: 'hour', ...(keyId && { keyId }) }),
    execute(listKeyUsage, ctx, { hours }),
    readKeyNames(actor),
  ])
  const used = byKey.items
    .filter((row) => row.requests > 0 && (keyId === undefined || row.keyId === keyId))
    .sort((a, b) => b.requests - a.requests)
    .map((row) => ({ ...row, name: nameOf(keys, row.keyId) }))
  return { usage, used, keys }
}

type Usage = Awaited<ReturnType<typeof readUsage>>['usage']

const hrefOf = (range: RangeName, key: string | undefined) =>
  `/usage?${new URLSearchParams({ range, ...(key && { key }) })}`

function Choice({ range, keyId, keys }: { range: Range; keyId: string | undefined; keys: KeyName[] }) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <nav aria-label="Time" className="flex flex-wrap gap-2">
        {(['24h', '7d', '30d'] satisfies RangeName[]).map((name) => {
          const isChosen = name === range.name
          return (
            <LinkButton
              key={name}
              size="small"
              look={isChosen ? 'main' : 'plain'}
              href={hrefOf(name, keyId)}
              {...(isChosen && { 'aria-current': 'page' as const })}
            >
              {RANGES[name]}
            </LinkButton>
          )
        })}
      </nav>
      <search>
        <form action="/usage" className="flex flex-wrap items-end gap-2">
          <input type="hidden" name="range" value={range.name} />
          <Field label="Key" className="w-56">
            {(tied) => <KeyChoice tied={tied} chosen={keyId} keys={keys} />}
          </Field>
          <Button type="submit">Show</Button>
        </form>
      </search>
    </div>
  )
}

function Totals({ total: { requests, errors, limited }, at }: { total: Usage['total']; at: Desk }) {
  const figure = (value: number) => <span className="text-2xl tabular-nums">{at.words.number(value)}</span>
  return (
    <Facts
      facts={[
        ['Requests', figure(requests)],
        ['Errors', figure(errors)],
        ['Limit hits', figure(limited)],
      ]}
    />
  )
}

function OverTime({ usage, by, at }: { usage: Usage; by: Range['by']; at: Desk }) {
  const { words } = at
  const periods = by === 'day' ? byDay(usage.periods, words) : usage.periods
  const begins = periods.map((period) => new Date(period.at))
  const isLong = periods.length > 24
  const places = begins.map((begin) => (isLong ? words.shortDay(words.dayOf(begin)) : words.clock(begin)))
  const midnights = places.flatMap((day, place) => (place > 0 && day !== places[place - 1] ? [place] : []))
  const { requests, errors, limited } = usage.total
  return (
    <Lines
      title={`Requests per ${by}`}
      note={`${words.zone(at.now)}; the last ${by} is still in progress`}
      label={`Requests per ${by}: ${words.count(requests, 'request')}, ${words.count(errors, 'error')}, ${words.count(limited, 'limit hit')} in all`}
      series={[
        { name: 'Requests', tone: 'first', values: periods.map((period) => period.requests) },
        { name: 'Errors', tone: 'fault', values: periods.map((period) => period.errors) },
        { name: 'Limit hits', tone: 'third', values: periods.map((period) => period.limited) },
      ]}
      places={places}
      {...(isLong && by === 'hour' && { named: midnights })}
      whole
      markText={words.number}
      desk={at}
      figures={{
        rows: periods,
        rowKey: (period) => period.at,
        columns: [
          by === 'day'
            ? { name: 'at', head: 'Day', kind: 'day', value: (period) => words.dayOf(new Date(period.at)) }
            : { name: 'at', head: 'Hour', kind: 'moment', value: (period) => new Date(period.at) },
          ...(['requests', 'errors', 'limited'] as const).map((name) => ({
            name,
            head: { requests: 'Requests', errors: 'Errors', limited: 'Limit hits' }[name],
            kind: 'count' as const,
            value: (period: UsagePeriod) => period[name],
          })),
        ],
      }}
    />
  )
}

export default async function UsagePage({ searchParams }: { searchParams: Promise<Search> }) {
  const { actor } = await requireActor(getUsage)
  const { range: wanted, key } = await searchParams
  const keyId = typeof key === 'string' && key !== '' ? key.slice(0, 50) : undefined
  const at = await desk()
  const { now } = at
  const range = rangeOf(wanted, at)
  const { usage, used, keys } = await readUsage(actor, now, range, keyId)
  const common = { from: range.from.toISOString(), ...(keyId && { key: keyId }) }
  return (
    <>
      <PageHead
        title="Usage"
        text="Requests, errors and limit hits of this contractor’s keys. Every request is counted, including bursts too large to log."
        actions={<LinkButton href={logHref(common)}>View logs</LinkButton>}
      />
      <Choice range={range} keyId={keyId} keys={keys} />
      {usage.total.requests === 0 ? (
        <NothingYet title="No requests in this time" keys={actor.role === 'admin' ? '/keys' : undefined} />
      ) : (
        <div className="grid min-w-0 gap-8">
          <div className="min-w-0">
            <Totals total={usage.total} at={at} />
            <OverTime usage={usage} by={range.by} at={at} />
          </div>
          <section aria-labelledby="by-operation" className="min-w-0">
            <h2 id="by-operation" className="mb-3">
              By operation
            </h2>
            <EndpointTable rows={usage.endpoints} common={common} />
          </section>
          <section aria-labelledby="by-key" className="min-w-0">
            <h2 id="by-key" className="mb-3">
              By key
            </h2>
            <KeyTable desk={at} rows={used} common={common} />
          </section>
        </div>
      )}
    </>
  )
}
