import type { Metadata } from 'next'
import { hrefOf, parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { CodeBlock } from '@/app/ui/code-block'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import { type Sort, Table } from '@/app/ui/table'
import { cleanAnswer } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import type { Resource } from '@/lib/resources/define'
import { DataHead } from '../../bar'
import { dataCurl } from '../../curl'
import { filterFieldsOf, requireResource, wordsOf } from '../../resources'
import { columnsOf, type Item, type Names } from '../../value'
import { Empty } from './empty'
import { Filters } from './filters'

type Props = { params: Promise<{ resource: string }>; searchParams: SearchParams }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: wordsOf((await params).resource) }
}

/** Returns a page of the list, or why it cannot be read. All texts in it are cleaned. */
async function find(name: string, context: Context, input: Record<string, string>) {
  try {
    const { items, names, previous, next } = await execute(requireResource(name).browse, context, input)
    return { items: items.map((item): Item => cleanAnswer(item)), names, previous, next }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return { fault: error }
    throw error
  }
}

/** URL parameters for the position in the list and its view. */
const PLACES = ['view', 'order', 'after', 'before'] as const

export default async function ResourcePage({ params, searchParams }: Props) {
  const { actor } = await requireActor()
  const { resource } = requireResource((await params).resource)
  const fields = filterFieldsOf(resource)
  const filters = await parametersOf(
    searchParams,
    fields.map(({ name }) => name),
  )
  const { view, order, ...place } = await parametersOf(searchParams, PLACES)
  const found = await find(resource.name, { actor, now: new Date() }, { ...filters, ...(order && { order }), ...place })
  const faultAt = (name: string) => found.fault?.fields?.find(({ field }) => field === name)?.message
  const path = `/data/${resource.name}`
  return (
    <>
      <DataHead
        current={resource.name}
        role={actor.role}
        text="The latest changes first. Sort by Updated for the order in which the data API lists them."
      />
      <Filters
        resource={resource.name}
        fields={fields}
        given={filters}
        view={view}
        fault={faultAt}
        names={found.names ?? {}}
      />
      {found.fault && (
        <Notice tone="bad" alert title="These filters cannot be used.">
          <p>{found.fault.message}</p>
          <p>
            <a href={path}>Clear filters</a>
          </p>
        </Notice>
      )}
      {found.items?.length === 0 && (
        <Empty resource={resource} role={actor.role} isNarrowed={Object.keys({ ...filters, ...place }).length > 0} />
      )}
      {found.items && found.items.length > 0 && (
        <Records of={resource} page={found} asked={{ filters, view, order, place }} />
      )}
      <section aria-labelledby="request" className="mt-8">
        <h2 id="request" className="mb-2">
          API request
        </h2>
        <CodeBlock label="Request" language="shell" code={dataCurl(`/${resource.name}`, filters)} />
      </section>
    </>
  )
}

type Page = { items: Item[]; names: Names; previous: string | null; next: string | null }
type Parameters = Record<string, string>
type Asked = { filters: Parameters; view: string | undefined; order: string | undefined; place: Parameters }

/** Shows a page of records as a table or as JSON, with links to the previous and next pages. */
function Records({
  of: resource,
  page,
  asked: { filters, view, order, place },
}: {
  of: Resource
  page: Page
  asked: Asked
}) {
  const hrefWith = (more: Record<string, string | undefined>) =>
    hrefOf(`/data/${resource.name}`, { ...filters, view, order, ...more })
  const asJson = view === 'json'
  const isOldest = order === 'oldest'
  const sort: Sort = {
    href: hrefWith({ order: isOldest ? undefined : 'oldest' }),
    now: isOldest ? 'ascending' : 'descending',
  }
  return (
    <>
      <p className="mb-2 text-end text-sm">
        <a href={hrefWith({ ...place, view: asJson ? undefined : 'json' })}>
          {asJson ? 'Show as a table' : 'Show as JSON'}
        </a>
      </p>
      {asJson ? (
        <CodeBlock label="Items" language="json" code={JSON.stringify(page.items, null, 2)} />
      ) : (
        <Table
          caption={wordsOf(resource.name)}
          columns={columnsOf(resource, page.names, { sort })}
          rows={page.items}
          rowKey={({ id }) => String(id)}
        />
      )}
      <Pagination
        of={wordsOf(resource.name)}
        first={page.previous ? hrefWith({}) : undefined}
        previous={page.previous ? hrefWith({ before: page.previous }) : undefined}
        next={page.next ? hrefWith({ after: page.next }) : undefined}
      />
    </>
  )
}
