import type * as z from 'zod'
import { hrefOf, type SearchParams } from '@/app/query'
import { desk } from '@/app/session/desk'
import { readList } from '@/app/session/read-list'
import { PageHead } from '@/app/ui/card'
import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { FilterBar } from '@/app/ui/filter-bar'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import type { PersonActor } from '@/lib/auth/actor'
import { phoneText } from '@/lib/core/contact'
import type { Desk } from '@/lib/core/desk'
import { listLeads } from '@/lib/operations/list-leads'

type Lead = z.output<typeof listLeads.output>['items'][number]

const TONES = { won: 'good', open: 'neutral', lost: 'warn' } as const
const TABS = [
  { name: 'All' },
  { name: 'Open', value: 'open' },
  { name: 'Won', value: 'won' },
  { name: 'Lost', value: 'lost' },
]

const columnsOf = ({ country }: Desk): DataColumn<Lead>[] => [
  {
    name: 'name',
    head: 'Name',
    kind: 'text',
    value: ({ leadName, customerName }) => leadName ?? customerName ?? 'No name',
    href: ({ projectId }) => `/projects/${projectId}`,
  },
  {
    name: 'contact',
    head: 'Phone or email',
    kind: 'text',
    value: (lead) => (lead.phone ? phoneText(lead.phone, country) : lead.email),
    rank: 2,
  },
  { name: 'source', head: 'Source', kind: 'text', value: ({ source }) => source, rank: 2 },
  { name: 'message', head: 'Message', kind: 'text', value: ({ message }) => message, rank: 3 },
  {
    name: 'outcome',
    head: 'Status',
    kind: 'status',
    value: ({ outcome }) => outcome,
    tone: ({ outcome }) => TONES[outcome],
  },
  { name: 'followUp', head: 'Follow up', kind: 'day', value: ({ followUp }) => followUp, rank: 3 },
  { name: 'time', head: 'Received', kind: 'moment', value: ({ receivedAt }) => receivedAt },
]

type Props = { actor: PersonActor; searchParams: SearchParams }

/** Leads for those who read the books: who asked for what and what became of it, without what senders posted. */
export async function LeadsToRead({ actor, searchParams }: Props) {
  const [{ given, found, error, fault }, at] = await Promise.all([
    readList(listLeads, actor, searchParams, { inputOf: (asked) => ({ ...asked, limit: 25 }) }),
    desk(),
  ])
  const { pageToken, ...filters } = given
  const next = found?.nextPageToken ?? undefined
  return (
    <>
      <PageHead title="Leads" text="People who asked for work, latest first, and what became of it." />
      <FilterBar
        path="/leads"
        given={filters}
        words={at.words}
        tabs={{ field: 'outcome', all: TABS }}
        fields={[{ name: 'source', label: 'Source', kind: 'text' }]}
        fault={fault}
      />
      {error && (
        <Notice tone="danger" alert title="These filters cannot be used.">
          {error.message}
        </Notice>
      )}
      {found && (
        <DataTable
          caption="Leads, latest first"
          columns={columnsOf(at)}
          rows={found.items}
          rowKey={({ projectId }) => projectId}
          desk={at}
          empty={<EmptyState title="No leads" text="Leads from your website and lead sources appear here." />}
        />
      )}
      <Pagination
        of="Leads"
        first={pageToken && hrefOf('/leads', filters)}
        next={next && hrefOf('/leads', { ...filters, pageToken: next })}
      />
    </>
  )
}
