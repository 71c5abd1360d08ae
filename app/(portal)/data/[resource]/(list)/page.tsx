import type { Metadata } from 'next'
import { hrefOf, parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { CodeBlock } from '@/app/ui/code-block'
import { Notice } from '@/app/ui/notice'
import { Pagination } from '@/app/ui/pagination'
import { Table } from '@/app/ui/table'
import { cleanAnswer } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { DataHead } from '../../bar'
import { dataCurl } from '../../curl'
import { filterFieldsOf, requireResource, wordsOf } from '../../resources'
import { columnsOf, type Item } from '../../value'
import { Empty } from './empty'
import { Filters } from './filters'

type Props = { params: Promise<{ resource: string }>; searchParams: SearchParams }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: wordsOf((await params).resource) }
}

/** Returns a page of the list, or why it cannot be read. All texts in it are cleaned. */
async function find(name: string, context: Context, input: Record<string, string>) {
  try {
    const { items, nextPageToken } = await execute(requireResource(name).list, context, { ...input, limit: 50 })
    return { items: items.map((item): Item => cleanAnswer(item)), nextPageToken }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return { fault: error }
    throw error
  }
}

export default async function ResourcePage({ params, searchParams }: Props) {
  const { actor } = await requireActor()
  const { resource } = requireResource((await params).resource)
  const fields = filterFieldsOf(resource)
  const filters = await parametersOf(
    searchParams,
    fields.map(({ name }) => name),
  )
  const { view, pageToken } = await parametersOf(searchParams, ['view', 'pageToken'])
  const input = { ...filters, ...(pageToken && { pageToken }) }
  const found = await find(resource.name, { actor, now: new Date() }, input)
  const faultAt = (name: string) => found.fault?.fields?.find(({ field }) => field === name)?.message
  const path = `/data/${resource.name}`
  const asJson = view === 'json'
  return (
    <>
      <DataHead
        current={resource.name}
        role={actor.role}
        text="As the data API returns them: least recently updated first, so that a sync that resumes misses nothing."
      />
      <Filters resource={resource.name} fields={fields} given={filters} view={view} fault={faultAt} />
      {found.fault && (
        <Notice tone="bad" alert title="These filters cannot be used.">
          <p>{found.fault.message}</p>
          <p>
            <a href={path}>Clear filters</a>
          </p>
        </Notice>
      )}
      {found.items?.length === 0 && (
        <Empty resource={resource} role={actor.role} isNarrowed={Object.keys(input).length > 0} />
      )}
      {found.items && found.items.length > 0 && (
        <>
          <p className="mb-2 text-end text-sm">
            <a href={hrefOf(path, { ...input, view: asJson ? undefined : 'json' })}>
              {asJson ? 'Show as a table' : 'Show as JSON'}
            </a>
          </p>
          {asJson ? (
            <CodeBlock label="Items" language="json" code={JSON.stringify(found.items, null, 2)} />
          ) : (
            <Table
              caption={wordsOf(resource.name)}
              columns={columnsOf(resource)}
              rows={found.items}
              rowKey={({ id }) => String(id)}
            />
          )}
          <Pagination
            of={wordsOf(resource.name)}
            first={pageToken && hrefOf(path, { ...filters, view })}
            next={found.nextPageToken ? hrefOf(path, { ...filters, view, pageToken: found.nextPageToken }) : undefined}
          />
        </>
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
