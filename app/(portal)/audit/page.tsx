import type { Metadata } from 'next'
import { hrefOf, parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Button, LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Field } from '@/app/ui/field'
import { Id } from '@/app/ui/id.client'
import { Select } from '@/app/ui/input'
import { Pagination } from '@/app/ui/pagination'
import type { PersonActor } from '@/lib/auth/actor'
import { AUDIT_EVENTS, CONTRACTOR_EVENTS, isAuditEvent, isContractorEvent } from '@/lib/auth/audit'
import { cleanText } from '@/lib/core/clean'
import { listAudit } from '@/lib/operations/audit/list-audit'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { readKeyNames } from '../logs/rows'
import { detailsOf, eventName } from './events'

/** Names of the subjects of an audit log, by id. */
type Names = Map<string, { name: string; href?: string }>

/** Returns the names of the contractor's keys, including ended ones, and of its team. */
async function readNames(actor: PersonActor): Promise<Names> {
  const [keys, { members }] = await Promise.all([
    readKeyNames(actor),
    execute(listTeam, { actor, now: new Date() }, {}),
  ])
  return new Map([
    ...keys.map(({ keyId, name }) => [keyId, { name, href: `/logs?key=${encodeURIComponent(keyId)}` }] as const),
    ...members.map(({ personId, name }) => [personId, { name }] as const),
  ])
}

const pageOfRecord = (id: string) => (id.startsWith('dlv_') ? `/leads/${id}` : `/projects/${id}`)

/** Returns the names of projects and lead deliveries, each with its page. The texts come from strangers. */
const namesOfRecords = (names: Record<string, string>): Names =>
  new Map(Object.entries(names).map(([id, name]) => [id, { name: cleanText(name), href: pageOfRecord(id) }]))

const ID = /^(key|per|usr|dlv|prj|ses)_\w{10,}$|^[A-Za-z0-9]{28,}$/

/** Shows the subject of an entry: its name, linked if it has a page; or its id when it has no name anymore. */
function Subject({ subject, names }: { subject: string; names: Names }) {
  const known = names.get(subject)
  if (known?.href) return <a href={known.href}>{known.name}</a>
  if (known) return known.name
  if (/^(dlv|prj)_/.test(subject)) return <Id id={subject} href={pageOfRecord(subject)} />
  return ID.test(subject) ? <Id id={subject} /> : <span className="wrap-anywhere">{subject}</span>
}

export const metadata: Metadata = { title: 'Audit log' }

/** The page for an invalid filter. */
const NOTHING = { items: [], names: {}, previous: null, next: null }

const PARAMETERS = ['event', 'before', 'after'] as const

/** A contractor's audit log, newest first. */
export default async function Audit({ searchParams }: { searchParams: SearchParams }) {
  const { actor, current } = await requireActor(listAudit)
  const { event: asked, before, after } = await parametersOf(searchParams, PARAMETERS)
  const event = asked && isContractorEvent(asked) ? asked : undefined
  const isUnknown = asked !== undefined && event === undefined
  const at = await desk()
  const [{ items, names: named, previous, next }, known] = await Promise.all([
    isUnknown ? NOTHING : execute(listAudit, { actor, now: at.now }, { event, before, after }),
    readNames(actor),
  ])
  const names: Names = new Map([...known, ...namesOfRecords(named)])
  const query = (more: Record<string, string>) => hrefOf('/audit', { event, ...more })
  return (
    <>
      <PageHead
        title="Audit log"
        text={`Who changed what for ${current.name}, and from where. Entries are never changed.`}
        actions={
          <LinkButton href={hrefOf('/audit/export', { event })} download>
            Export CSV
          </LinkButton>
        }
      />
      <form className="mb-5 flex flex-wrap items-end gap-3">
        <Field label="What happened" className="w-64 max-w-full">
          {(tied) => (
            <Select {...tied} name="event" defaultValue={event ?? ''}>
              <option value="">Everything</option>
              {CONTRACTOR_EVENTS.map((name) => (
                <option key={name} value={name}>
                  {eventName(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit">Show</Button>
      </form>
      <DataTable
        desk={at}
        caption={`Audit log of ${current.name}`}
        rows={items}
        rowKey={({ id }) => id}
        empty={
          isUnknown ? (
            <EmptyState
              title="This filter cannot be used"
              text="There is no such event. Choose one above."
              action={<LinkButton href="/audit">Clear filters</LinkButton>}
            />
          ) : event || before || after ? (
            <EmptyState
              title="No such entry"
              text="Nothing of this kind has happened here."
              action={<LinkButton href="/audit">Clear filters</LinkButton>}
            />
          ) : (
            <EmptyState
              title="Nothing yet"
              text="Key changes, people who join or leave, and data loads are recorded here."
            />
          )
        }
        columns={[
          {
            name: 'who',
            head: 'Who',
            kind: 'text',
            isLong: true,
            value: ({ actorName }) => whoOf(actorName).person,
            under: ({ actorName }) => whoOf(actorName).email,
          },
          {
            name: 'what',
            head: 'What',
            kind: 'parts',
            parts: ({ event: what, subject }) => (
              <span>
                {isAuditEvent(what) ? AUDIT_EVENTS[what] : what}{' '}
                {subject && <Subject subject={subject} names={names} />}
              </span>
            ),
          },
          {
            name: 'detail',
            head: 'Detail',
            kind: 'parts',
            rank: 2,
            parts: ({ detail, subject }) => {
              const text = detailsOf(detail, names.get(subject ?? '')?.name)
              return (
                text && (
                  <span className="line-clamp-3 wrap-anywhere" title={text}>
                    {text}
                  </span>
                )
              )
            },
          },
          { name: 'at', head: 'When', kind: 'moment', value: (entry) => entry.at },
          { name: 'address', head: 'From', kind: 'code', rank: 3, value: ({ address }) => address },
        ]}
      />
      <Pagination
        of="the audit log"
        first={previous === null ? undefined : query({})}
        previous={previous === null ? undefined : query({ after: previous })}
        next={next === null ? undefined : query({ before: next })}
      />
    </>
  )
}

/** Returns who acted: their name, and the email address of portal users. */
function whoOf(name: string) {
  const [, person = name, email] = /^(.+) <([^<>]+)>$/.exec(name) ?? []
  return { person, email }
}
