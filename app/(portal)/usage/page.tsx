import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { Button, LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { Chart } from '@/app/ui/chart'
import { Facts } from '@/app/ui/facts'
import { Field } from '@/app/ui/field'
import type { PersonActor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { getUsage, listKeyUsage } from '@/lib/operations/requests/usage'
import { NothingYet } from '../logs/empty'
import { logHref, type Search } from '../logs/filters'
import { KeyChoice } from '../logs/key-choice'
import { type KeyName, nameOf, readKeyNames } from '../logs/rows'
import { RANGES, type Range, type RangeName, rangeOf } from './range'
import { EndpointTable, KeyTable } from './tables'

export const metadata: Metadata = { title: 'Usage' }

async function readUsage(actor: PersonActor, now: Date, { from, by, hours }: Range, keyId: string | undefined) {
  const ctx = { actor, now }
  const [usage, byKey, keys] = await Promise.all([
    execute(getUsage, ctx, { from: from.toISOString(), by, ...(keyId && { keyId }) }),
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

function Totals({ total: { requests, errors, limited } }: { total: Usage['total'] }) {
  const figure = (value: number) => <span className="text-2xl tabular-nums">{value.toLocaleString('en-US')}</span>
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

function OverTime({ usage: { periods, by } }: { usage: Usage }) {
  return (
    <Chart
      title={`Requests per ${by}`}
      unit="UTC; the last period is still in progress"
      at={periods.map(({ at }) => new Date(at))}
      series={[
        { name: 'Requests', tone: 'main', values: periods.map(({ requests }) => requests) },
        { name: 'Errors', tone: 'bad', dash: [6, 4], values: periods.map(({ errors }) => errors) },
        { name: 'Limit hits', tone: 'neutral', dash: [2, 3], values: periods.map(({ limited }) => limited) },
      ]}
    />
  )
}

export default async function UsagePage({ searchParams }: { searchParams: Promise<Search> }) {
  const { actor } = await requireActor(getUsage)
  const { range: wanted, key } = await searchParams
  const keyId = typeof key === 'string' && key !== '' ? key.slice(0, 50) : undefined
  const now = new Date()
  const range = rangeOf(wanted, now)
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
            <Totals total={usage.total} />
            <OverTime usage={usage} />
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
            <KeyTable rows={used} common={common} />
          </section>
        </div>
      )}
    </>
  )
}
