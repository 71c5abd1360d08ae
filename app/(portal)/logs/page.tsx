import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import type { PersonActor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { cursorAt } from '@/lib/operations/requests/fields'
import { listRequests } from '@/lib/operations/requests/log'
import { listSavedFilters } from '@/lib/operations/requests/saved-filters'
import { getRequestStats } from '@/lib/operations/requests/stats'
import { chosenColumns } from '../records/chosen-columns'
import { ColumnChooser, ColumnsButton } from '../records/column-chooser'
import { logDays } from './days'
import { NothingMatches, NothingYet } from './empty'
import { FilterForm } from './filter-form'
import {
  EXPORT_ROWS,
  type FilterValues,
  hasEmptyParts,
  logHref,
  periodWords,
  queryText,
  type ReadFilters,
  readFilters,
  type Search,
} from './filters'
import { LiveLog } from './live.client'
import { PeriodLinks } from './period-links'
import { readKeyNames, rowsOf } from './rows'
import { SavedFilters } from './saved.client'
import { RequestStats } from './stats'
import { LOG_LIST } from './table'

export const metadata: Metadata = { title: 'Logs' }

const isPlaced = (place: ReadFilters['place']) => Object.keys(place).length > 0
const hasFaults = (faults: ReadFilters['faults']) => Object.keys(faults).length > 0

/** Returns a page of the log. An invalid cursor leads to the first page. */
async function readPage(actor: PersonActor, now: Date, { filters, place, values, faults }: ReadFilters) {
  // With an invalid filter, the rows of the other filters would be misleading.
  if (hasFaults(faults)) return { items: [], previous: null, next: null }
  try {
    return await execute(listRequests, { actor, now }, { ...filters, ...place })
  } catch (error) {
    if (isPlaced(place) && error instanceof ServiceError && error.code === 'bad_request') redirect(logHref(values))
    throw error
  }
}

/** Returns the figures above the list; undefined for an invalid filter, and for a range without any, such as one in the future. */
async function readStats(actor: PersonActor, now: Date, { filters, faults }: ReadFilters) {
  // As with the rows, figures of the other filters would be taken for those of all of them.
  if (hasFaults(faults)) return undefined
  try {
    return await execute(getRequestStats, { actor, now }, filters)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return undefined
    throw error
  }
}

/** Requests are logged in batches, so one that ended this recently may still be missing. */
const SETTLED_MS = 3_000

function queryOf(contractorId: string, { values }: ReadFilters): string {
  return new URLSearchParams({ contractor: contractorId, ...values }).toString()
}

function Head({ days, values }: { days: number; values: FilterValues }) {
  return (
    <PageHead
      title="Logs"
      text={`Every API and MCP request with this contractor’s keys, newest first, kept for ${days} days: no bodies, no secrets.`}
      actions={
        <>
          <LinkButton
            href={`/logs/export?${queryText(values)}`}
            title={`The newest ${EXPORT_ROWS.toLocaleString('en-US')} rows at most`}
            download
          >
            Export CSV
          </LinkButton>
          <LinkButton href="/usage">Usage</LinkButton>
          <ColumnsButton />
        </>
      }
    />
  )
}

type EmptyProps = {
  read: ReadFilters
  role: PersonActor['role']
  previous: string | undefined
  next: string | undefined
}

/** Explains why there are no rows, and what to do. */
function Empty({ read: { faults, values, place }, role, previous, next }: EmptyProps) {
  if (hasFaults(faults))
    return (
      <Notice tone="danger" title="These filters cannot be used.">
        Fix the field marked above, or <a href="/logs">clear filters</a>.
      </Notice>
    )
  if (Object.keys(values).length > 0 || isPlaced(place))
    return <NothingMatches older={next} newer={place.after ? previous : undefined} />
  return <NothingYet keys={role === 'admin' ? '/keys' : undefined} />
}

export default async function Logs({ searchParams }: { searchParams: Promise<Search> }) {
  const { actor } = await requireActor(listRequests)
  const search = await searchParams
  const read = readFilters(search)
  const { values, requestId, faults, place } = read
  if (requestId) redirect(`/logs/${requestId}`)
  // An untouched form sends every field, but a shared URL should contain only the filters in use.
  if (hasEmptyParts(search)) redirect(logHref(values, place))
  const at = await desk()
  const { now } = at
  const [keys, page, stats, { items: saved }, columns] = await Promise.all([
    readKeyNames(actor),
    readPage(actor, now, read),
    readStats(actor, now, read),
    execute(listSavedFilters, { actor, now }, {}),
    chosenColumns(LOG_LIST),
  ])
  const { requestLogDays } = env()
  const days = logDays(at)
  const previous = page.previous ? logHref(values, { after: page.previous }) : undefined
  const next = page.next ? logHref(values, { before: page.next }) : undefined
  return (
    <>
      <Head days={requestLogDays} values={values} />
      <ColumnChooser list={LOG_LIST} shown={columns} back={logHref(values, place)} />
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <PeriodLinks values={values} days={days} />
        <SavedFilters contractorId={actor.contractorId} saved={saved} query={queryText(values)} />
      </div>
      <FilterForm values={values} faults={faults} keys={keys} />
      {stats && stats.requests > 0 && requestLogDays > 0 && (
        <RequestStats
          stats={stats}
          period={periodWords(values, days)}
          errorsHref={values.status ? undefined : logHref({ ...values, status: 'failed' })}
          desk={at}
        />
      )}
      {requestLogDays === 0 && (
        <Notice tone="warn" title="The log is off.">
          The operator of this service set REQUEST_LOG_DAYS to 0, so new requests are not logged.
        </Notice>
      )}
      <LiveLog
        rows={rowsOf(page.items, keys)}
        columns={columns.map(({ name }) => name)}
        cursor={cursorAt(new Date(now.getTime() - SETTLED_MS))}
        query={queryOf(actor.contractorId, read)}
        canFollow={!isPlaced(place) && !values.to && Object.keys(faults).length === 0}
        empty={<Empty read={read} role={actor.role} previous={previous} next={next} />}
      />
      <Pagination of="requests" first={previous && logHref(values)} previous={previous} next={next} />
    </>
  )
}
