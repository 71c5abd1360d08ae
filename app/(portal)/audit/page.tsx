import type { Metadata } from 'next'
import type { z } from 'zod'
import { hrefOf, parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { Button, LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { Field } from '@/app/ui/field'
import { Select } from '@/app/ui/input'
import { Pagination } from '@/app/ui/pagination'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { AUDIT_EVENTS, isAuditEvent } from '@/lib/auth/audit'
import { listAudit } from '@/lib/operations/audit/list-audit'
import { execute } from '@/lib/operations/execute'
import { readNames, Subject } from './subject'

export const metadata: Metadata = { title: 'Audit log' }

type Entry = z.output<typeof listAudit.output>['items'][number]

const details = ({ detail }: Entry) =>
  Object.entries(detail)
    // An id that is named beside it says nothing more.
    .filter(([, value]) => value !== null && !/^[a-z]{3}_\w{20,}$/.test(String(value)))
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')

/** What a filter that cannot be used shows. */
const NOTHING = { items: [], previous: null, next: null }

const PARAMETERS = ['event', 'before', 'after'] as const

/** A contractor's audit log, newest first. */
export default async function Audit({ searchParams }: { searchParams: SearchParams }) {
  const { actor, current } = await requireActor(listAudit)
  const { event: asked, before, after } = await parametersOf(searchParams, PARAMETERS)
  const event = asked && isAuditEvent(asked) ? asked : undefined
  const isUnknown = asked !== undefined && event === undefined
  const [{ items, previous, next }, names] = await Promise.all([
    isUnknown ? NOTHING : execute(listAudit, { actor, now: new Date() }, { event, before, after }),
    readNames(actor),
  ])
  const query = (more: Record<string, string>) => hrefOf('/audit', { event, ...more })
  return (
    <>
      <PageHead
        title="Audit log"
        text={`Who changed what for ${current.name}, and from where. Entries are never changed.`}
      />
      <form className="mb-5 flex flex-wrap items-end gap-3">
        <Field label="What happened" className="w-64 max-w-full">
          {(tied) => (
            <Select {...tied} name="event" defaultValue={event ?? ''}>
              <option value="">Everything</option>
              {Object.entries(AUDIT_EVENTS).map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit">Show</Button>
      </form>
      <Table
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
          ) : (
            <EmptyState
              title="Nothing yet"
              text="Key changes, people who join or leave, and data loads are recorded here."
            />
          )
        }
        columns={[
          { name: 'who', head: 'Who', cell: ({ actorName }) => <Who name={actorName} /> },
          {
            name: 'what',
            head: 'What',
            cell: ({ event: what, subject }) => (
              <span className="block sm:min-w-48">
                {isAuditEvent(what) ? AUDIT_EVENTS[what] : what}{' '}
                {subject && <Subject subject={subject} names={names} />}
              </span>
            ),
          },
          {
            name: 'detail',
            head: 'Detail',
            cell: (entry) => <span className="block wrap-anywhere sm:min-w-40">{details(entry)}</span>,
          },
          { name: 'at', head: 'When', cell: ({ at }) => <Time at={at} seconds /> },
          { name: 'address', head: 'From', mono: true, cell: ({ address }) => address ?? '–' },
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

/** Who acted: their name, and their address below it where they are a person of the portal. */
function Who({ name }: { name: string }) {
  const [, person = name, email] = /^(.+) <([^>]+)>$/.exec(name) ?? []
  return (
    <>
      {person}
      {email && <span className="block text-sm font-normal wrap-anywhere text-quiet">{email}</span>}
    </>
  )
}
