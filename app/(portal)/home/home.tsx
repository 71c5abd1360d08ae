import type { z } from 'zod'
import { links } from '@/app/links'
import { Card, PageHead } from '@/app/ui/card'
import { Notice } from '@/app/ui/notice'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { mayRun } from '@/lib/operations/access'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { loadUpload } from '@/lib/operations/loads/load-upload'
import { getOverview } from '@/lib/operations/overview/get-overview'
import { getUsage } from '@/lib/operations/requests/usage'
import { listSources } from '@/lib/operations/sources/list-sources'
import { listWebhooks } from '@/lib/operations/webhooks/list-webhooks'
import { Checklist } from './checklist'
import { KeysCard } from './keys-card'
import { Sparkline } from './sparkline'
import { StoppedData } from './stopped'

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

/** Only where there are webhooks: how they do, and which need somebody. */
async function WebhooksCard({ actor, now }: { actor: PersonActor; now: Date }) {
  const { items } = await execute(listWebhooks, { actor, now }, {})
  if (items.length === 0) return null
  const paused = items.filter(({ state }) => state === 'paused')
  const failing = items.filter(({ state, failingSince }) => state === 'active' && failingSince !== null)
  return (
    <Card title="Webhooks" actions={<a href="/outgoing">Webhooks</a>}>
      <p className="text-2xl tabular-nums">{figure(items.length - paused.length)}</p>
      <p className="text-quiet">active</p>
      {paused.map(({ id, url }) => (
        <p key={id} className="mt-2 text-bad wrap-anywhere">
          Paused: <a href={`/outgoing/${id}`}>{new URL(url).hostname}</a>
        </p>
      ))}
      {failing.length > 0 && <p className="mt-2 text-quiet">{figure(failing.length)} failing, retrying</p>}
    </Card>
  )
}

/** Only where there are sources: how many bring what they should. What is wrong with the others stands above. */
async function SourcesCard({ actor, now }: { actor: PersonActor; now: Date }) {
  const { items } = await execute(listSources, { actor, now }, {})
  if (items.length === 0) return null
  const good = items.filter(({ health }) => health === 'fresh' || health === 'new')
  return (
    <Card title="Scheduled loads" actions={<a href="/data/sources">Sources</a>}>
      <p className="text-2xl tabular-nums">{figure(good.length)}</p>
      <p className="text-quiet">of {figure(items.length)} up to date</p>
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
          <dt className="text-sm text-quiet">Last record change</dt>
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

/** Lists the follow-ups that are due, each with a link to its lead. */
function FollowUpsCard({ followUps: { total, items } }: { followUps: NonNullable<Overview['followUps']> }) {
  return (
    <Card title="Follow-ups due" actions={<a href="/data/projects?status=lead">Open leads</a>}>
      <p className="text-2xl tabular-nums">{total < 100 ? total : '99+'}</p>
      <ul className="mt-2 grid gap-2">
        {items.map(({ projectId, project, customer, text, on }) => (
          <li key={projectId}>
            <a href={`/data/projects/${encodeURIComponent(projectId)}`} className="wrap-anywhere">
              {cleanText(customer)}: {cleanText(project)}
            </a>
            <span className="block text-sm text-quiet">
              <time dateTime={on}>{on}</time>
              {text && <span className="wrap-anywhere">, {cleanText(text)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {total > items.length && <p className="mt-2 text-sm text-quiet">The latest {items.length} are shown.</p>}
    </Card>
  )
}

/** Says what went wrong within a day, with a link to each. Refused leads and keys have cards of their own. */
function Alerts({ alerts }: { alerts: NonNullable<Overview['alerts']> }) {
  return (
    <Notice tone="warn" title="In the last 24 hours:">
      <ul>
        {alerts.map(({ title, path }) => (
          <li key={`${path} ${title}`}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** The home page of a signed-in user: the open setup steps, and today's figures. */
export async function Home({ actor, contractor }: { actor: PersonActor; contractor: string }) {
  const now = new Date()
  const overview = await execute(getOverview, { actor, now }, {})
  const { overdue, leads, followUps, alerts, stopped, begun } = overview
  return (
    <>
      <PageHead title={contractor} text={`Today, ${now.toISOString().slice(0, 10)} (UTC).`} />
      {alerts && alerts.length > 0 && (
        <div className="mb-6">
          <Alerts alerts={alerts} />
        </div>
      )}
      <StoppedData stopped={stopped} />
      {begun && <Checklist begun={begun} isAdmin={actor.role === 'admin'} console={links().console} />}
      <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {mayRun(getUsage, actor) && <RequestsCard actor={actor} now={now} />}
        {leads && <LeadsCard leads={leads} />}
        {followUps && followUps.total > 0 && <FollowUpsCard followUps={followUps} />}
        {mayRun(listKeys, actor) && <KeysCard actor={actor} now={now} />}
        {mayRun(listWebhooks, actor) && <WebhooksCard actor={actor} now={now} />}
        {mayRun(listSources, actor) && <SourcesCard actor={actor} now={now} />}
        <DataCard overview={overview} mayLoad={mayRun(loadUpload, actor)} />
        {overdue && <OverdueCard overdue={overdue} />}
      </div>
    </>
  )
}
