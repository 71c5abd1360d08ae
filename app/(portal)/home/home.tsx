import type { z } from 'zod'
import { links } from '@/app/links'
import { Card, PageHead } from '@/app/ui/card'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { mayRun } from '@/lib/operations/access'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { loadUpload } from '@/lib/operations/loads/load-upload'
import { getOverview } from '@/lib/operations/overview/get-overview'
import { getUsage } from '@/lib/operations/requests/usage'
import { Checklist } from './checklist'
import { KeysCard } from './keys-card'
import { Sparkline } from './sparkline'

type Overview = z.output<typeof getOverview.output>

const figure = (value: number) => value.toLocaleString('en-US')
const counted = (value: number, one: string, many = `${one}s`) => `${figure(value)} ${value === 1 ? one : many}`
const money = (amount: number, currency: string) => amount.toLocaleString('en-US', { style: 'currency', currency })

async function RequestsCard({ actor, now }: { actor: PersonActor; now: Date }) {
  const from = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`
  const { total, periods } = await execute(getUsage, { actor, now }, { from })
  const bars = periods.map(({ at, requests, errors }) => ({ at, value: requests, bad: errors }))
  return (
    <Card title="Requests today" actions={<a href="/logs">Logs</a>}>
      <p className="text-2xl tabular-nums">{figure(total.requests)}</p>
      <p className="mb-3">
        {total.errors === 0 ? (
          <span className="text-quiet">No errors</span>
        ) : (
          <a href={`/logs?status=failed&from=${from.slice(0, 10)}`}>{counted(total.errors, 'error')}</a>
        )}
      </p>
      <Sparkline
        label={`Requests by hour today: ${counted(total.requests, 'request')}, ${counted(total.errors, 'error')}`}
        bars={bars}
      />
    </Card>
  )
}

function LeadsCard({ leads: { deliveries, leads, refused } }: { leads: NonNullable<Overview['leads']> }) {
  return (
    <Card title="Leads today" actions={<a href="/leads">Leads</a>}>
      <p className="text-2xl tabular-nums">{figure(leads)}</p>
      <p className="text-quiet">{counted(deliveries, 'delivery', 'deliveries')}</p>
      {refused > 0 && (
        <p className="mt-2 text-bad">
          {figure(refused)} refused: <a href="/leads?outcome=refused">fix</a>
        </p>
      )}
    </Card>
  )
}

function DataCard({ overview: { changedAt, loadedAt }, mayLoad }: { overview: Overview; mayLoad: boolean }) {
  return (
    <Card title="Data" actions={<a href={mayLoad ? '/data/load' : '/data'}>{mayLoad ? 'Load files' : 'Data'}</a>}>
      <dl className="grid gap-2">
        <div>
          <dt className="text-sm text-quiet">Last load</dt>
          <dd>{loadedAt ? <Time at={new Date(loadedAt)} /> : 'None yet'}</dd>
        </div>
        <div>
          <dt className="text-sm text-quiet">Last change of a record</dt>
          <dd>{changedAt ? <Time at={new Date(changedAt)} /> : 'No records yet'}</dd>
        </div>
      </dl>
    </Card>
  )
}

function OverdueCard({ overdue }: { overdue: NonNullable<Overview['overdue']> }) {
  const [first, ...others] = overdue
  return (
    <Card title="Overdue" actions={<a href="/data/invoices?status=overdue">Invoices</a>}>
      <p className="text-2xl tabular-nums">{first ? money(first.amount, first.currency) : 'Nothing'}</p>
      {first && <p className="text-quiet">on {counted(first.invoices, 'invoice')}</p>}
      {others.map(({ currency, amount, invoices }) => (
        <p key={currency} className="mt-1">
          {money(amount, currency)} <span className="text-quiet">on {counted(invoices, 'invoice')}</span>
        </p>
      ))}
    </Card>
  )
}

/** The first page of who is signed in: what is still to be set up, and how things stand today. */
export async function Home({ actor, contractor }: { actor: PersonActor; contractor: string }) {
  const now = new Date()
  const overview = await execute(getOverview, { actor, now }, {})
  const { overdue, leads, begun } = overview
  return (
    <>
      <PageHead title={contractor} text={`Today, ${now.toISOString().slice(0, 10)} (UTC).`} />
      {begun && <Checklist begun={begun} isAdmin={actor.role === 'admin'} console={links().console} />}
      <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {mayRun(getUsage, actor) && <RequestsCard actor={actor} now={now} />}
        {leads && <LeadsCard leads={leads} />}
        {mayRun(listKeys, actor) && <KeysCard actor={actor} now={now} />}
        <DataCard overview={overview} mayLoad={mayRun(loadUpload, actor)} />
        {overdue && <OverdueCard overdue={overdue} />}
      </div>
    </>
  )
}
