import type { Metadata } from 'next'
import { hrefOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { readList } from '@/app/session/read-list'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import type { Sort } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { FilterBar } from '@/app/ui/filter-bar'
import { Pagination } from '@/app/ui/pagination'
import { periodsAt } from '@/app/ui/periods'
import { browseTransactions } from '@/lib/operations/browse-transactions'
import { chosenColumns } from '../records/chosen-columns'
import { ColumnChooser, ColumnsButton } from '../records/column-chooser'
import { transactionName } from '../records/transactions'
import { TRANSACTIONS } from './list'

export const metadata: Metadata = { title: 'Refunds, credits and write-offs' }

const PATH = '/transactions'
const ORDER = '-date'

/** The sorting by a column, the greatest or latest first. */
function sortOf(name: string, order: string, href: (sort: string) => string): Sort | undefined {
  if (name !== 'date' && name !== 'amount') return undefined
  return {
    href: href(order === `-${name}` ? name : `-${name}`),
    now: order === name ? 'ascending' : order === `-${name}` ? 'descending' : undefined,
  }
}

/** Refunds, payments that came back, credits and write-offs: what is on the books beside payments. */
export default async function TransactionsPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await requireActor(browseTransactions)
  const [at, columns, { given, found, error, fault }] = await Promise.all([
    desk(),
    chosenColumns(TRANSACTIONS),
    readList(browseTransactions, actor, searchParams),
  ])
  const { after: _, before: __, ...filters } = given
  const href = (more: Record<string, string | undefined>) => hrefOf(PATH, { ...filters, ...more })
  const items = found?.items ?? []
  const counts = Object.entries(found?.types ?? {})
  const count = found?.count ?? undefined
  return (
    <>
      <PageHead
        title="Refunds, credits and write-offs"
        text={count === undefined ? undefined : at.words.count(count, 'entry', 'entries')}
        under={[{ name: 'Payments', href: '/payments' }]}
      />
      <FilterBar
        path={PATH}
        given={given}
        tabs={{
          field: 'type',
          all: [
            { name: 'All' },
            ...counts.map(([value, each]) => ({ name: transactionName(value), value, count: each })),
          ],
        }}
        fields={[
          { name: 'from', label: 'From', kind: 'day' },
          { name: 'to', label: 'To', kind: 'day' },
        ]}
        periods={{ from: 'from', to: 'to', all: periodsAt(at.today) }}
        fault={fault}
        words={at.words}
        actions={
          <>
            <ColumnsButton />
            <LinkButton href={hrefOf(`${PATH}/export`, filters)} download>
              Export CSV
            </LinkButton>
          </>
        }
      />
      <ColumnChooser list={TRANSACTIONS} shown={columns} back={hrefOf(PATH, given)} />
      {error && (
        <EmptyState
          kind="fault"
          title="These filters cannot be used."
          text={error.message}
          action={<LinkButton href={PATH}>Clear filters</LinkButton>}
        />
      )}
      {found && (
        <DataTable
          caption="Refunds, credits and write-offs"
          columns={columns.map((column) => ({
            ...column,
            sort: sortOf(column.name, given.sort ?? ORDER, (sort) => href({ sort })),
          }))}
          rows={items}
          rowKey={({ id }) => id}
          desk={at}
          empty={
            <EmptyState
              title="Nothing here"
              text="Refunds, payments that came back, credits and write-offs that your files have stand here."
            />
          }
          totals={found.total?.map(({ currency, amount }, _at, all) => ({
            name: all.length > 1 ? `Total ${currency}` : 'Total',
            cells: { amount },
            currency,
          }))}
        />
      )}
      <Pagination
        of="entries"
        first={found?.previous ? href({}) : undefined}
        previous={found?.previous ? href({ before: found.previous }) : undefined}
        next={found?.next ? href({ after: found.next }) : undefined}
      />
    </>
  )
}
