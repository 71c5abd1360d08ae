import type { Metadata } from 'next'
import type * as z from 'zod'
import { requireActor } from '@/app/session/actor'
import { Time } from '@/app/session/time'
import { Badge } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CopyButton } from '@/app/ui/copy.client'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Notice } from '@/app/ui/notice'
import { isOAuthOffered } from '@/lib/auth/oauth/places'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { baseUrls, env } from '@/lib/core/env'
import { listConnections } from '@/lib/operations/connections/list-connections'
import { execute } from '@/lib/operations/execute'
import { signInSnippetsFor } from '@/lib/portal/snippets'
import { End, EndAll, LimitForm } from './forms.client'

/** How to add each assistant: a link where it has one, otherwise what to do with the address. */
function AddAssistant({ url }: { url: string }) {
  return (
    <section aria-labelledby="add">
      <h2 id="add" className="mb-1">
        Add an assistant
      </h2>
      <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-quiet">
        There is one address for all of them: <code className="text-ink">{url}</code>{' '}
        <CopyButton text={url} of="address" />
      </p>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {signInSnippetsFor(url).map(({ id, name, link, steps, code }) => (
          <Card key={id} title={name}>
            {link && (
              <p className="mb-3">
                <LinkButton href={link.href}>{link.text}</LinkButton>
              </p>
            )}
            <p className="text-sm text-quiet">{steps}</p>
            {code !== url && (
              <details className="mt-2">
                <summary className="w-fit text-sm">What to paste</summary>
                <pre className="mt-2 text-sm whitespace-pre-wrap wrap-anywhere">
                  <code>{code}</code>
                </pre>
                <CopyButton text={code} of={name} />
              </details>
            )}
          </Card>
        ))}
      </div>
    </section>
  )
}

export const metadata: Metadata = { title: 'Assistants' }

type Connection = z.output<typeof listConnections.output>['items'][number]

const Small = ({ children }: { children: React.ReactNode }) => (
  <span className="block text-sm font-normal text-quiet wrap-anywhere">{children}</span>
)

const requestsText = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'request' : 'requests'}`

/** The scopes of a program. More than a few are collapsed behind their number, so that the row stays short. */
function Scopes({ scopes }: Pick<Connection, 'scopes'>) {
  const list = (
    <ul className="font-mono text-sm">
      {scopes.map((scope) => (
        <li key={scope}>{scope}</li>
      ))}
    </ul>
  )
  if (scopes.length < 4) return list
  return (
    <details>
      <summary className="w-fit">{scopes.length} scopes</summary>
      {list}
    </details>
  )
}

function State({ endedAt, isBlocked, role }: Connection) {
  if (endedAt) return <Badge>Ended</Badge>
  if (isBlocked || role === null)
    return (
      <>
        <Badge tone="warn">Blocked</Badge>
        <Small>{role === null ? 'Not on the team' : 'Not on the list'}</Small>
      </>
    )
  return <Badge tone="good">Active</Badge>
}

/** The people with more than one connection that still works, whose connections can be ended together. */
function withSeveral(items: Connection[]) {
  const active = items.filter(({ endedAt }) => !endedAt)
  const people = new Map(active.map(({ personId, person }) => [personId, person]))
  return [...people].filter(([id]) => active.filter(({ personId }) => personId === id).length > 1)
}

function Connected({ items, contractorId, isAdmin }: { items: Connection[]; contractorId: string; isAdmin: boolean }) {
  return (
    <DataTable
      caption="Connections"
      rows={items}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'program',
          head: 'Program',
          kind: 'text',
          isLong: true,
          value: ({ client }) => client,
          under: ({ destination, isVerified }) => `${destination}, ${isVerified ? 'verified' : 'not verified'}`,
        },
        {
          name: 'person',
          head: 'Acts for',
          kind: 'parts',
          parts: ({ person, role }) => (
            <>
              {person}
              <Small>{role ? ROLE_TEXTS[role].title : 'Left the team'}</Small>
            </>
          ),
        },
        {
          name: 'scopes',
          head: 'Permissions',
          kind: 'parts',
          rank: 2,
          parts: Scopes,
        },
        {
          name: 'used',
          head: 'Last used',
          kind: 'parts',
          rank: 2,
          parts: ({ lastUsedAt, connectedAt, requests, id }) => (
            <>
              {lastUsedAt ? <Time at={lastUsedAt} /> : 'Not yet'}
              {requests > 0 && (
                <Small>
                  {isAdmin ? <a href={`/logs?key=${id}`}>{requestsText(requests)}</a> : requestsText(requests)} in 30
                  days
                </Small>
              )}
              <Small>
                Connected <Time at={connectedAt} dayOnly />
              </Small>
            </>
          ),
        },
        { name: 'state', head: 'Status', kind: 'parts', width: '@xl:w-28', parts: (item) => <State {...item} /> },
        {
          name: 'end',
          head: 'End',
          kind: 'parts',
          width: '@xl:w-24',
          isAction: true,
          parts: ({ id, endedAt, client, person }) =>
            !endedAt && <End contractorId={contractorId} id={id} name={`${client} of ${person}`} />,
        },
      ]}
    />
  )
}

/** The programs that people connected: all of the contractor's for administrators, for others their own. */
export default async function Connections() {
  const { actor, current } = await requireActor(listConnections)
  const { contractorId } = actor
  const isAdmin = actor.role === 'admin'
  const isOffered = isOAuthOffered()
  const { items, allowed } = await execute(listConnections, { actor, now: new Date() }, {})
  return (
    <>
      <PageHead
        title="Assistants"
        text={
          isAdmin
            ? `Programs that people on the team of ${current.name} connected. Each acts for one person and may do no more than they may.`
            : `Programs you connected to ${current.name}. Each may do no more than you may.`
        }
      />
      <div className="grid gap-6">
        {!isOffered && (
          <Notice title="Connecting programs is off.">
            <p>Nothing can be connected, and what is connected does not work. Programs can use an API key meanwhile.</p>
            <p className="text-quiet">
              For your Plumbline administrator: it needs sign-in and an https address or this machine, and the setting
              OAUTH turned on.
            </p>
          </Notice>
        )}
        {items.length > 0 && <Connected items={items} contractorId={contractorId} isAdmin={isAdmin} />}
        {items.length === 0 && isOffered && (
          <EmptyState
            title="Nothing is connected yet"
            text="Add Plumbline to Claude, ChatGPT, Cursor or another assistant. It sends you here to sign in and choose what it may do."
          />
        )}
        {isOffered && <AddAssistant url={baseUrls(env()).mcp} />}
        {isAdmin && withSeveral(items).length > 0 && (
          <Card
            title="End all connections of a person"
            text="Everything they connected stops working within five seconds."
          >
            <ul className="grid gap-2">
              {withSeveral(items).map(([personId, person]) => (
                <li key={personId} className="flex flex-wrap items-center gap-3">
                  <span className="me-auto">{person}</span>
                  <EndAll contractorId={contractorId} personId={personId} name={person} />
                </li>
              ))}
            </ul>
          </Card>
        )}
        {isAdmin && isOffered && (
          <Card title="Allowed programs" text="Only these programs may connect. Others stop working at once.">
            <LimitForm contractorId={contractorId} allowed={allowed} />
          </Card>
        )}
      </div>
    </>
  )
}
