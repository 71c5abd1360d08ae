import type { Metadata } from 'next'
import { hrefOf, parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import { ServiceError } from '@/lib/core/errors'
import { pageOf } from '@/lib/core/page-of'
import { OUTCOMES } from '@/lib/leads/deliveries'
import { listLeadDeliveries } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { nameOf, readKeyNames } from '../../logs/rows'
import { leadCurl } from '../curl'
import { Filters } from '../filters'
import { DeliveryTable } from '../table'

export const metadata: Metadata = { title: 'Leads' }

const ROWS = 50

type Given = { outcome?: string; source?: string; status?: string; before?: string; after?: string }

/** Returns the deliveries for the filters in the URL, or the error of an invalid filter. */
async function find(actor: Awaited<ReturnType<typeof requireActor>>['actor'], given: Given) {
  const { outcome, source, status, before, after } = given
  const wanted = OUTCOMES.find((each) => each === outcome)
  if (outcome && !wanted) return { fault: `Unknown outcome ${outcome}. Use ${OUTCOMES.join(', ')}.` }
  const input = { outcome: wanted, source, before, after, ...(status && { status: Number(status) }), limit: ROWS + 1 }
  try {
    return await execute(listLeadDeliveries, { actor, now: new Date() }, input)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return { fault: error.message }
    throw error
  }
}

export default async function LeadsPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await requireActor(listLeadDeliveries)
  const given: Given = await parametersOf(searchParams, ['outcome', 'source', 'status', 'before', 'after'])
  const { before, after, ...filters } = given
  const isFiltered = Object.keys(filters).length > 0
  const [found, keys] = await Promise.all([find(actor, given), readKeyNames(actor)])
  const { items, previous, next } = pageOf('items' in found ? found.items : [], ROWS, { before, after })
  const isNarrowed = isFiltered || before !== undefined || after !== undefined
  return (
    <>
      <PageHead
        title="Leads"
        text="Every delivery to the lead webhook with a valid key, newest first, with its outcome."
        actions={
          <>
            {actor.role === 'admin' && <LinkButton href="/leads/secrets">Secrets of senders</LinkButton>}
            <LinkButton href="/leads/lab">Try a body in the lab</LinkButton>
          </>
        }
      />
      <Filters given={filters} />
      {'fault' in found && (
        <Notice tone="bad" alert title="These filters cannot be used.">
          {found.fault}
        </Notice>
      )}
      {items.length > 0 && <DeliveryTable items={items} nameOfKey={(id) => nameOf(keys, id)} />}
      {'items' in found && items.length === 0 && isNarrowed && (
        <EmptyState
          title="No such delivery"
          text="No stored delivery matches these filters."
          action={<LinkButton href="/leads">Show all deliveries</LinkButton>}
        />
      )}
      {'items' in found && items.length === 0 && !isNarrowed && (
        <EmptyState
          title="No leads yet"
          text="Issue a key with the preset “Lead source” and post a lead with it. Angi, Thumbtack, Google Ads and Zapier post their own format, each to its own URL."
          action={<LinkButton href="/leads/lab">Try a body first</LinkButton>}
          curl={leadCurl()}
        />
      )}
      <Pagination
        of="Deliveries"
        first={previous === null ? undefined : hrefOf('/leads', filters)}
        previous={previous === null ? undefined : hrefOf('/leads', { ...filters, after: previous })}
        next={next === null ? undefined : hrefOf('/leads', { ...filters, before: next })}
      />
    </>
  )
}
