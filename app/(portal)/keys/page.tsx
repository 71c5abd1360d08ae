import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { links } from '@/app/links'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { PageHead } from '@/app/ui/card'
import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import type { PersonActor } from '@/lib/auth/actor'
import { PRESETS } from '@/lib/auth/scopes'
import type { Desk } from '@/lib/core/desk'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { firstCall } from '@/lib/portal/first-call'
import { arrange, type Key } from './arrange'
import { CreateKey } from './create.client'
import { STATES, type Usage } from './key-parts'
import { RIGHTS, readerContext } from './looking'
import { readKeys } from './read'
import { rightsText } from './rights-text'

type UsageOf = (key: Key) => Usage | undefined
/** A row: a key, and its earlier secrets that still work. */
type Row = { key: Key; old: Key[] }

const momentOf = (at: string | null | undefined) => (at ? new Date(at) : null)

/** Returns the last moment at which an old secret of a key still works. */
const oldEnds = ({ key, old }: Row): Date | undefined =>
  [key.state === 'overlap' ? key : undefined, ...old]
    .flatMap((each) => each?.expiresAt ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())[0]

/** The column of old secrets, where there are any. */
function oldColumn(rows: Row[], { words, now }: Desk): DataColumn<Row>[] {
  if (!rows.some((row) => oldEnds(row))) return []
  const value = (row: Row) => {
    const end = oldEnds(row)
    return end && `works until ${words.moment(end, now)}`
  }
  return [{ name: 'old', head: 'Old secret', kind: 'text', value, rank: 2 }]
}

function columnsOf(rows: Row[], usageOf: UsageOf, desk: Desk): DataColumn<Row>[] {
  const { words } = desk
  return [
    {
      name: 'name',
      head: 'Name',
      kind: 'text',
      isLong: true,
      value: ({ key }) => key.name,
      href: ({ key }) => `/keys/${key.id}`,
    },
    { name: 'rights', head: 'Permissions', kind: 'text', value: ({ key }) => rightsText(key), rank: 2 },
    { name: 'masked', head: 'Key', kind: 'code', value: ({ key }) => key.masked, rank: 3 },
    {
      name: 'state',
      head: 'Status',
      kind: 'status',
      value: ({ key }) => STATES[key.state].text,
      tone: ({ key }) => STATES[key.state].tone,
    },
    ...oldColumn(rows, desk),
    {
      name: 'used',
      head: 'Last used',
      kind: 'moment',
      value: ({ key }) => momentOf(usageOf(key)?.lastUsedAt),
      rank: 3,
      narrow: 'labeled',
    },
    {
      name: 'requests',
      head: 'Requests in 24 h',
      kind: 'count',
      value: ({ key }) => usageOf(key)?.requests ?? 0,
      href: ({ key }) => `/logs?key=${encodeURIComponent(key.id)}`,
      rank: 2,
    },
    {
      name: 'expires',
      head: 'Expires',
      kind: 'text',
      isShort: true,
      value: ({ key }) => (key.expiresAt ? words.day(words.dayOf(key.expiresAt)) : 'Never'),
      rank: 2,
      narrow: 'labeled',
    },
  ]
}

/** Lists ended keys, with when each ended and its last refused request. */
function EndedKeys({ title, keys, usageOf, desk }: { title: string; keys: Key[]; usageOf: UsageOf; desk: Desk }) {
  if (keys.length === 0) return null
  const columns: DataColumn<Key>[] = [
    { name: 'name', head: 'Name', kind: 'text', value: ({ name }) => name, href: ({ id }) => `/keys/${id}` },
    { name: 'masked', head: 'Key', kind: 'code', value: ({ masked }) => masked, rank: 2 },
    {
      name: 'state',
      head: 'Status',
      kind: 'status',
      value: ({ state }) => STATES[state].text,
      tone: ({ state }) => STATES[state].tone,
    },
    { name: 'ended', head: 'Ended', kind: 'moment', value: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt },
    { name: 'used', head: 'Last used', kind: 'moment', value: (key) => momentOf(usageOf(key)?.lastUsedAt), rank: 2 },
    {
      name: 'refused',
      head: 'Last refused',
      kind: 'moment',
      value: (key) => momentOf(usageOf(key)?.lastRefusedAt),
      rank: 2,
    },
  ]
  return (
    <details className="mt-6">
      <summary className="w-fit font-semibold">
        {title} ({keys.length})
      </summary>
      <div className="mt-3">
        <DataTable caption={title} columns={columns} rows={keys} rowKey={({ id }) => id} desk={desk} />
      </div>
    </details>
  )
}

/** Lists a contractor's keys: those in use, then temporary and ended ones. `none` is shown when there are no keys. */
async function KeyList({ actor, desk, none }: { actor: PersonActor; desk: Desk; none: ReactNode }) {
  const { keys, usageOf } = await readKeys(actor, desk.now)
  if (keys.length === 0) return none
  const { inUse, temporary, ended } = arrange(keys)
  const rest = { usageOf, desk }
  return (
    <>
      <DataTable
        caption="Keys in use"
        columns={columnsOf(inUse, usageOf, desk)}
        rows={inUse}
        rowKey={({ key }) => key.id}
        desk={desk}
        empty={<p className="text-quiet">No active keys. Every request needs one: create a key.</p>}
      />
      <EndedKeys title="Temporary keys of the explorer" keys={temporary} {...rest} />
      <EndedKeys title="Ended keys" keys={ended} {...rest} />
    </>
  )
}

export const metadata: Metadata = { title: 'Keys' }

/** The current contractor's keys, for its administrators. */
export default async function KeysPage() {
  // Checks the role before anything is sent, because a streamed part can no longer set status 403.
  const { actor, current } = await requireActor(listKeys)
  const looking = readerContext(actor)
  const create = (label: string) => <CreateKey {...looking} rights={RIGHTS} label={label} />
  const none = (
    <EmptyState
      title="No keys yet"
      text="Every request to the API, the lead webhook and MCP needs a key. Create one per integration, so that you can edit and revoke each separately. A first call looks like this:"
      action={create('Create the first key')}
      curl={firstCall(PRESETS.integration.scopes, 'integration', looking.addresses)}
    />
  )
  return (
    <>
      <PageHead
        title="Keys"
        text={
          <>
            API keys of {current.name}. A secret is shown once, when the key is created; every change is in the{' '}
            <a href={`${links().portal}/audit`}>audit log</a>.
          </>
        }
        actions={create('Create key')}
      />
      <KeyList actor={actor} desk={await desk()} none={none} />
    </>
  )
}
