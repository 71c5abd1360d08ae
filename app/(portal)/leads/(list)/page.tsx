import type { Metadata } from 'next'
import type * as z from 'zod'
import { hrefOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { readList } from '@/app/session/read-list'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { FilterBar, type Tab } from '@/app/ui/filter-bar'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import { phoneText } from '@/lib/core/contact'
import type { Desk } from '@/lib/core/desk'
import { pageOf } from '@/lib/core/page-of'
import { mayRun } from '@/lib/operations/access'
import { listLeadDeliveries, SOURCE_NAMES } from '@/lib/operations/deliveries'
import { listLeads } from '@/lib/operations/list-leads'
import { FIELD_LABELS } from '../[id]/fixes'
import { leadCurl } from '../curl'
import { OUTCOME_TEXTS, OUTCOME_TONES } from '../outcomes'
import { sourceTitle } from '../sources'
import { LeadsToRead } from './to-read'

type Delivery = z.output<typeof listLeadDeliveries.output>['items'][number]

const projectOf = ({ projectId, replayProjectId }: Delivery) => projectId ?? replayProjectId
const isFixed = (delivery: Delivery) => delivery.projectId === null && projectOf(delivery) !== null

/** Returns why a delivery has no job, as a sentence that begins with the name of its field. */
const sentenceOf = (reason: string) => reason.replace(/^(\w+):/, (all, field) => FIELD_LABELS[field] ?? all)

/** Returns the result of a delivery: its job, why it has none, or what became of it when it was replayed. */
function resultOf(delivery: Delivery): string | null {
  const { jobNumber, replayJobNumber, replayOf, replayOutcome, reason } = delivery
  if (projectOf(delivery) !== null) {
    const number = jobNumber ?? replayJobNumber
    return number === null ? 'Project' : `Job ${number}`
  }
  if (replayOutcome) return `Replayed: ${OUTCOME_TEXTS[replayOutcome].toLowerCase()}`
  return (reason && sentenceOf(reason)) ?? (replayOf ? 'Replay of an earlier one' : null)
}

const columnsOf = ({ country }: Desk): DataColumn<Delivery>[] => [
  {
    name: 'name',
    head: 'Name',
    kind: 'text',
    value: ({ name }) => name ?? 'No name',
    href: ({ id }) => `/leads/${id}`,
  },
  {
    name: 'contact',
    head: 'Phone or email',
    kind: 'text',
    value: (item) => (item.phone ? phoneText(item.phone, country) : item.email),
    rank: 2,
  },
  { name: 'source', head: 'Source', kind: 'text', value: ({ source }) => sourceTitle(source), rank: 3 },
  {
    name: 'outcome',
    head: 'Status',
    kind: 'status',
    value: (item) => (isFixed(item) ? 'Fixed' : OUTCOME_TEXTS[item.outcome]),
    tone: (item) => (isFixed(item) ? 'good' : OUTCOME_TONES[item.outcome]),
  },
  {
    name: 'result',
    head: 'Result',
    kind: 'text',
    value: resultOf,
    href: (item) => {
      const project = projectOf(item)
      return project === null ? undefined : `/projects/${project}`
    },
    rank: 2,
  },
  { name: 'time', head: 'Received', kind: 'moment', value: ({ receivedAt }) => receivedAt },
]

/** What lead sources sent, newest first, each row with a page of its own. */
const DeliveryTable = ({ items, desk }: { items: Delivery[]; desk: Desk }) => (
  <DataTable caption="Leads, newest first" columns={columnsOf(desk)} rows={items} rowKey={({ id }) => id} desk={desk} />
)

export const metadata: Metadata = { title: 'Leads' }

const ROWS = 50

/** The tabs: what needs a person first. */
const TABS: Tab[] = [
  { name: 'All' },
  ...(['refused', 'failed', 'created', 'duplicate', 'ignored', 'test'] as const).map((value) => ({
    name: OUTCOME_TEXTS[value],
    value,
  })),
]

/** Returns the filters as the operation takes them. */
const inputOf = ({ status, ...rest }: Record<string, string>) => ({
  ...rest,
  ...(status && { status: Number(status) }),
  limit: ROWS + 1,
})

export default async function LeadsPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await requireActor(listLeads)
  if (!mayRun(listLeadDeliveries, actor)) return <LeadsToRead actor={actor} searchParams={searchParams} />
  const [{ given, found, error }, at] = await Promise.all([
    readList(listLeadDeliveries, actor, searchParams, { inputOf }),
    desk(),
  ])
  const { before, after, ...filters } = given
  const isFiltered = Object.keys(filters).length > 0
  const { items, previous, next } = pageOf(found?.items ?? [], ROWS, { before, after })
  const isNarrowed = isFiltered || before !== undefined || after !== undefined
  return (
    <>
      <PageHead
        title="Leads"
        text="What lead sources sent, newest first, and what became of it."
        actions={
          <>
            {actor.role === 'admin' && <LinkButton href="/leads/secrets">Sender passwords</LinkButton>}
            <LinkButton href="/leads/lab">Test a lead</LinkButton>
          </>
        }
      />
      <FilterBar
        path="/leads"
        given={filters}
        words={at.words}
        tabs={{ field: 'outcome', all: TABS }}
        fields={[
          {
            name: 'source',
            label: 'Source',
            kind: 'choice',
            options: SOURCE_NAMES.map((value) => ({ value, text: sourceTitle(value) })),
          },
        ]}
      />
      {error && (
        <Notice tone="danger" alert title="These filters cannot be used.">
          {error.message}
        </Notice>
      )}
      {items.length > 0 && <DeliveryTable items={items} desk={at} />}
      {found && items.length === 0 && isNarrowed && (
        <EmptyState
          title="No such lead"
          text="No stored lead matches these filters."
          action={<LinkButton href="/leads">All leads</LinkButton>}
        />
      )}
      {found && items.length === 0 && !isNarrowed && (
        <EmptyState
          title="No leads yet"
          text="Issue a key with the preset “Lead source” and post a lead with it. Angi, Thumbtack, Google Ads and Zapier post their own format, each to its own URL."
          action={<LinkButton href="/leads/lab">Test a lead first</LinkButton>}
          curl={leadCurl()}
        />
      )}
      <Pagination
        of="Leads"
        first={previous === null ? undefined : hrefOf('/leads', filters)}
        previous={previous === null ? undefined : hrefOf('/leads', { ...filters, after: previous })}
        next={next === null ? undefined : hrefOf('/leads', { ...filters, before: next })}
      />
    </>
  )
}
