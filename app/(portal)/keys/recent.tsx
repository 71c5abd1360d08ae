import { Bars } from '@/app/ui/chart-bars'
import { DataTable } from '@/app/ui/data-table'
import type { PersonActor } from '@/lib/auth/actor'
import type { Desk } from '@/lib/core/desk'
import { execute } from '@/lib/operations/execute'
import { listRequests } from '@/lib/operations/requests/log'
import { getUsage } from '@/lib/operations/requests/usage'
import { logHref } from '../logs/filters'
import { Status } from '../logs/table'
import { byDay, rangeOf } from '../usage/range'
import type { Key } from './arrange'

/** `secrets` are those of one key, the latest first. */
type Props = { actor: PersonActor; secrets: readonly Pick<Key, 'id' | 'masked'>[]; at: Desk }

const HEIGHT = 96

/** The requests of a key on each of the last 30 days, with all of its secrets. */
export async function UseByDay({ actor, secrets, at }: Props) {
  const { now, words } = at
  const from = rangeOf('30d', at).from.toISOString()
  const usages = await Promise.all(
    secrets.map(({ id }) => execute(getUsage, { actor, now }, { from, by: 'hour', keyId: id })),
  )
  const requests = usages.reduce((sum, { total }) => sum + total.requests, 0)
  const errors = usages.reduce((sum, { total }) => sum + total.errors, 0)
  if (requests === 0) return null
  const hours = usages.flatMap(({ periods }) => periods).sort((a, b) => a.at.localeCompare(b.at))
  const days = byDay(hours, words)
  const dayOf = (day: { at: string }) => words.dayOf(new Date(day.at))
  return (
    <section aria-label="Use" className="mt-6">
      <Bars
        title="Requests by day"
        label={`Requests by day: ${words.count(requests, 'request')}, ${words.count(errors, 'error')} in 30 days`}
        series={[
          { name: 'Requests', tone: 'first', values: days.map((day) => day.requests) },
          { name: 'Errors', tone: 'fault', values: days.map((day) => day.errors) },
        ]}
        places={days.map((day) => words.shortDay(dayOf(day)))}
        whole
        height={HEIGHT}
        markText={words.number}
        text={words.number}
        desk={at}
        figures={{
          rows: days,
          rowKey: ({ at: begins }) => begins,
          columns: [
            { name: 'at', head: 'Day', kind: 'day', value: dayOf },
            { name: 'requests', head: 'Requests', kind: 'count', value: (day) => day.requests },
            { name: 'errors', head: 'Errors', kind: 'count', value: (day) => day.errors },
          ],
        }}
      />
    </section>
  )
}

const MOST = 10

/** The latest requests of a key, with all of its secrets; all of them are in the log. */
export async function RecentRequests({ actor, secrets, at }: Props) {
  const found = await Promise.all(
    secrets.map(({ id }) => execute(listRequests, { actor, now: at.now }, { keyId: id, limit: MOST })),
  )
  const items = found
    .flatMap((each) => each.items)
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST)
  if (items.length === 0) return null
  const used = secrets.filter((_, i) => found[i]?.items.length !== 0)
  return (
    <section aria-labelledby="recent" className="mt-6">
      <h2 id="recent" className="mb-2 text-base">
        Recent requests
      </h2>
      <DataTable
        caption="Recent requests"
        columns={[
          {
            name: 'request',
            head: 'Request',
            kind: 'code',
            isLong: true,
            value: ({ method, path }) => `${method} ${path}`,
            href: ({ id }) => `/logs/${id}`,
          },
          { name: 'status', head: 'Status', kind: 'parts', width: '@xl:w-24', parts: (row) => <Status {...row} /> },
          { name: 'at', head: 'Time', kind: 'moment', value: (row) => new Date(row.at) },
        ]}
        rows={items}
        rowKey={({ id }) => id}
        desk={at}
      />
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {used.map(({ id, masked }) => (
          <a key={id} href={logHref({ key: id })}>
            {used.length === 1 ? 'All requests of this key' : `All requests with ${masked}`}
          </a>
        ))}
      </p>
    </section>
  )
}
