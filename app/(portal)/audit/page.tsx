import type { Metadata } from 'next'
import type { z } from 'zod'
import { requireActor } from '@/app/session/actor'
import { Button } from '@/app/ui/button'
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

export const metadata: Metadata = { title: 'Audit log' }

type Entry = z.output<typeof listAudit.output>['items'][number]

const wording = ({ event, subject }: Entry) =>
  `${isAuditEvent(event) ? AUDIT_EVENTS[event] : event}${subject ? ` ${subject}` : ''}`

const details = ({ detail }: Entry) =>
  Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')

type Asked = { event?: string | string[]; before?: string | string[] }

/** A contractor's audit log, newest first. */
export default async function Audit({ searchParams }: { searchParams: Promise<Asked> }) {
  const { actor, current } = await requireActor(listAudit)
  const asked = await searchParams
  const event = typeof asked.event === 'string' && isAuditEvent(asked.event) ? asked.event : undefined
  const before = typeof asked.before === 'string' ? asked.before : undefined
  const { items, next } = await execute(listAudit, { actor, now: new Date() }, { event, before })
  const query = (more: Record<string, string>) => `/audit?${new URLSearchParams({ ...(event && { event }), ...more })}`
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
          <EmptyState
            title="Nothing yet"
            text="Key changes, people who join or leave, and data loads are recorded here."
          />
        }
        columns={[
          { name: 'at', head: 'When', cell: ({ at }) => <Time at={at} seconds /> },
          { name: 'who', head: 'Who', cell: ({ actorName }) => actorName },
          { name: 'what', head: 'What', cell: wording },
          { name: 'detail', head: 'Detail', cell: details },
          { name: 'address', head: 'From', mono: true, cell: ({ address }) => address ?? '' },
        ]}
      />
      <Pagination
        of="the audit log"
        first={before && query({})}
        next={next === null ? undefined : query({ before: next })}
      />
    </>
  )
}
