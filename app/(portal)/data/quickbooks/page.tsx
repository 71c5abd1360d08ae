import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import { getConnector } from '@/lib/operations/connectors/get-connector'
import { execute } from '@/lib/operations/execute'
import { readConnectFault } from './browser'
import { Connect, Disconnect, Refresh, RemoveRecords, Sync } from './forms.client'
import { Runs } from './runs'
import { type Shown, StateBadge, StateNotice } from './state'

export const metadata: Metadata = { title: 'QuickBooks Online' }

const time = (at: string | null) => (at ? <Time at={new Date(at)} /> : 'Not yet')
const count = (n: number) => n.toLocaleString('en-US')

function Company(shown: Shown) {
  const { company, companyName, environment, syncedAt, connectedBy, connectedAt, reconnectBy, records } = shown
  return (
    <Card title={companyName ?? `Company ${company}`} actions={<StateBadge {...shown} />}>
      <Facts
        facts={[
          ['Current as of', time(syncedAt)],
          [
            'Connected',
            <span key="by">
              {connectedBy}, {time(connectedAt)}
            </span>,
          ],
          [
            'Company ID',
            <span key="id" className="font-mono text-sm">
              {company}
              {environment === 'sandbox' && ' (sandbox)'}
            </span>,
          ],
          ...(reconnectBy
            ? [['Ends if unused', <Time key="end" at={new Date(reconnectBy)} dayOnly />] as [string, React.ReactNode]]
            : []),
        ]}
      />
      <Facts
        facts={Object.entries(records).map(([resource, n]) => [
          resource.replace(/^./, (letter) => letter.toUpperCase()),
          count(n),
        ])}
      />
    </Card>
  )
}

/** A contractor's connection to QuickBooks Online, for administrators. */
export default async function QuickBooksPage() {
  const { actor, current } = await requireActor(getConnector)
  const shown = await execute(getConnector, { actor, now: new Date() }, { connector: 'quickbooks' })
  const fault = await readConnectFault()
  const { state, company, companyName, records } = shown
  const { contractorId } = current
  const total = Object.values(records).reduce((sum, n) => sum + n, 0)
  const isOn = ['syncing', 'current', 'throttled', 'failing'].includes(state)
  return (
    <>
      <PageHead
        title="QuickBooks Online"
        text={`Customers, jobs, invoices, payments, credits and estimates of ${current.name} are read from QuickBooks by themselves. Nothing is written there.`}
        actions={<LinkButton href="/data/load">Load files</LinkButton>}
      />
      <div className="grid max-w-4xl gap-4">
        {fault && (
          <Notice tone="danger" title="Not connected." alert>
            <p>{fault}</p>
          </Notice>
        )}
        <StateNotice {...shown} />
        {company && <Company {...shown} />}
        {(state === 'none' || state === 'reconnect' || state === 'disconnected') && (
          <Card
            title={state === 'none' ? 'Connect' : 'Connect again'}
            text="You sign in at Intuit and choose the company. An administrator there can end the connection at any time."
          >
            <Connect contractorId={contractorId} again={state !== 'none'} />
          </Card>
        )}
        {isOn && (
          <Card
            title="Sync"
            text="Changes are asked for every 15 minutes, and within seconds where Intuit tells of them."
          >
            <Sync contractorId={contractorId} />
          </Card>
        )}
        {shown.runs.length > 0 && <Runs runs={shown.runs} desk={await desk()} />}
        {company && total > 0 && (state === 'reconnect' || state === 'disconnected') && (
          <Card
            title="Remove its records"
            text={`Needed before another company can be connected. It deletes the ${count(total)} records that came from ${companyName ?? 'this company'}, except customers and projects that other records belong to. This cannot be undone.`}
          >
            <RemoveRecords contractorId={contractorId} company={company} companyName={companyName ?? company} />
          </Card>
        )}
        {(isOn || state === 'reconnect') && (
          <Card title="Disconnect" text="Ends the connection here and at Intuit. Records that were read stay.">
            <Disconnect contractorId={contractorId} />
          </Card>
        )}
      </div>
      {state === 'syncing' && <Refresh seconds={5} />}
    </>
  )
}
