import { hrefOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { readList } from '@/app/session/read-list'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { type Sort, sentence } from '@/app/ui/data-column'
import { DataTable, type TotalLine } from '@/app/ui/data-table'
import { Disclosure } from '@/app/ui/disclosure'
import { EmptyState } from '@/app/ui/empty-state'
import { type ChosenRecord, FilterBar, type Tab } from '@/app/ui/filter-bar'
import { Pagination } from '@/app/ui/pagination'
import { periodsAt } from '@/app/ui/periods'
import type { Desk } from '@/lib/core/desk'
import type { ResourceName } from '@/lib/core/resource-names'
import type { Role } from '@/lib/core/roles'
import { listParameters } from '@/lib/operations/lists'
import { browseOf } from '@/lib/operations/records'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { resources } from '@/lib/resources/registry'
import { leadCurl } from '../leads/curl'
import { chosenColumns } from './chosen-columns'
import { ColumnChooser, ColumnsButton } from './column-chooser'
import { dataColumns, type Item, type Names, pageOf, type RecordColumn } from './columns'
import { dataCurl } from './curl'
import { canSort, pluralOf, type RecordList, recordList, singularOf, statusesOf, summedBy } from './lists'

type Props = { resource: Resource; role: Role; isNarrowed: boolean }

/** A message for when there are no records, because of the filters or because none have been loaded. */
function NoRecords({ resource: { name, singular, csv, madeByLeads }, role, isNarrowed }: Props) {
  if (isNarrowed)
    return (
      <EmptyState
        kind="filters"
        title={`No matching ${name}`}
        text={`None of the ${name} matches this search and these filters.`}
        action={<LinkButton href={`/${name}`}>{`Show all ${name}`}</LinkButton>}
      />
    )
  return (
    <EmptyState
      title={`No ${name} yet`}
      text={
        (role === 'admin'
          ? `Load ${csv.file} as your office software exports it`
          : `An administrator loads them from ${csv.file}`) +
        (madeByLeads ? `. Each lead also creates a ${singular}.` : '.')
      }
      action={role === 'admin' && <LinkButton href="/data/load">Load files</LinkButton>}
      {...(madeByLeads && role !== 'viewer' && { curl: leadCurl() })}
    />
  )
}

/** A page of a list as its operation answers it. */
export type Found = {
  items: Item[]
  names: Names
  count: number
  countIsExact: boolean
  total: Record<string, unknown>[] | null
  statuses: Record<string, number | null>
  first: number
  previous: string | null
  next: string | null
}

type Given = Record<string, string>

/** Parameters that choose no records: the order and the place in it. */
const PLACING = ['sort', 'after', 'before', 'limit']

const without = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))

/** A list of records: search, tabs, filters, rows, totals and pages. */
export async function ListPage({ name, searchParams }: { name: ResourceName; searchParams: SearchParams }) {
  const list = recordList(name)
  const operation = browseOf(name)
  const { actor } = await requireActor(operation)
  const [at, columns, read] = await Promise.all([
    desk(),
    chosenColumns(list),
    readList(operation, actor, searchParams, { inputOf: (given) => ({ sort: list.order, ...given }) }),
  ])
  const { given, error, fault } = read
  const found: Found | undefined = read.found
  const filters = without(given, PLACING)
  const title = sentence(pluralOf(list))
  return (
    <>
      <PageHead title={title} text={found && counted(found, list, at)} />
      <FilterBar
        path={`/${name}`}
        given={given}
        search={{ label: `Search ${pluralOf(list)}`, hint: list.hint }}
        {...tabsOf(list, found)}
        fields={list.fields ?? []}
        moreFields={list.moreFields ?? []}
        {...(list.fields && { periods: { from: 'from', to: 'to', all: periodsAt(at.today) } })}
        chosen={chosenOf(list, given, found)}
        fault={fault}
        words={at.words}
        actions={
          <>
            {list.beside && <LinkButton href={list.beside.href}>{list.beside.name}</LinkButton>}
            <ColumnsButton />
            <LinkButton href={hrefOf(`/${name}/export`, without(given, ['after', 'before']))} download>
              Export CSV
            </LinkButton>
          </>
        }
      />
      <ColumnChooser list={list} shown={columns} back={hrefOf(`/${name}`, given)} />
      {error && (
        <EmptyState
          kind="fault"
          title="These filters cannot be used."
          text={error.message}
          action={<LinkButton href={`/${name}`}>Clear filters</LinkButton>}
        />
      )}
      {found?.items.length === 0 && (
        <NoRecords
          resource={resources[name]}
          role={actor.role}
          isNarrowed={Object.keys(without(given, ['sort'])).length > 0}
        />
      )}
      {found && found.items.length > 0 && <Rows list={list} columns={columns} found={found} given={given} at={at} />}
      <Disclosure className="mt-8">
        <CodeBlock
          label="Request"
          language="shell"
          code={dataCurl(
            `/${name}`,
            without(
              filters,
              Object.keys(filters).filter((field) => !listParameters(resources[name]).includes(field)),
            ),
          )}
        />
      </Disclosure>
    </>
  )
}

/** Returns how many are found: `1,202 invoices`, and about how many where they are too many to be counted. */
function counted({ count, countIsExact }: Found, list: RecordList, { words }: Desk): string {
  return `${countIsExact ? '' : 'about '}${words.count(count, singularOf(list), pluralOf(list))}`
}

/** Returns the tabs of a list. All of them together are told where each one is counted. */
function tabsOf(list: RecordList, found: Found | undefined) {
  const statuses = statusesOf(list)
  if (statuses.length === 0) return {}
  const counts = statuses.map((status) => found?.statuses[status])
  const isCounted = counts.every((count) => typeof count === 'number')
  const { ownTab } = list
  const all: Tab[] = [
    { name: 'All', count: isCounted ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) : undefined },
    ...(ownTab ? [ownTab] : []),
    ...statuses.map((status, at) => ({ name: sentence(status), value: status, count: counts[at] })),
  ]
  return { tabs: { field: 'status', all } }
}

/** Returns the records that a list is narrowed to. */
function chosenOf({ name }: RecordList, given: Given, found: Found | undefined): ChosenRecord[] {
  const resource = resources[name]
  return resource.links.flatMap((link) => {
    const field = fieldOfLink(resource, link)
    const id = field === undefined ? undefined : given[field]
    if (field === undefined || id === undefined) return []
    return [{ field, label: sentence(link.to), name: found?.names[id] ?? id, href: pageOf(link.to, id) }]
  })
}

type RowsProps = { list: RecordList; columns: readonly RecordColumn[]; found: Found; given: Given; at: Desk }

function Rows({ list, columns, found, given, at }: RowsProps) {
  const { items, names, first, previous, next } = found
  const href = (more: Record<string, string | undefined>) =>
    hrefOf(`/${list.name}`, { ...without(given, ['after', 'before']), ...more })
  const order = given.sort ?? list.order
  const sortOf = ({ sort, kind }: RecordColumn): Sort | undefined => {
    if (sort === undefined) return undefined
    const [up, down] = [sort, `-${sort}`]
    // Text begins with A, amounts and days with the greatest.
    const begins = kind === 'text' || kind === 'status' ? up : down
    return {
      href: href({ sort: order === up ? down : order === down ? up : begins }),
      now: order === up ? 'ascending' : order === down ? 'descending' : undefined,
    }
  }
  return (
    <>
      <DataTable
        caption={sentence(pluralOf(list))}
        columns={dataColumns(columns, singularOf(list), names, (column) =>
          canSort(list, column, found.countIsExact) ? sortOf(column) : undefined,
        )}
        rows={items}
        rowKey={({ id }) => String(id)}
        desk={at}
        totals={totalsOf(found, columns)}
      />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-md">
        <p className="text-quiet tabular-nums">
          {at.words.number(first)}–{at.words.number(first + items.length - 1)} of {counted(found, list, at)}
        </p>
        <Pagination
          of={pluralOf(list)}
          first={previous ? href({}) : undefined}
          previous={previous ? href({ before: previous }) : undefined}
          next={next ? href({ after: next }) : undefined}
        />
      </div>
    </>
  )
}

/** Returns the lines of totals of all that is found, one for each currency. */
function totalsOf({ total }: Found, columns: readonly RecordColumn[]): TotalLine[] {
  const lines = total ?? []
  return lines.map(({ currency, ...sums }) => ({
    name: lines.length > 1 ? `Total ${currency}` : 'Total',
    cells: summedBy(sums, columns),
    currency: String(currency),
  }))
}
