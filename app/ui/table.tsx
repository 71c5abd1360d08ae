import { type ReactNode, useId } from 'react'
import { classes } from './classes'

/** How a list can be sorted by a column: the link that does it, and how it is sorted now, if by this one. */
export type Sort = { href: string; now?: 'ascending' | 'descending' | undefined }

/**
 * A column: its head, and what stands in it for a row. The first is what people call the row. `end` aligns figures; `mono` is for ids,
 * paths, amounts. `label` says it in a card, where the head is no plain text; '' for buttons, which say themselves.
 */
export type Column<Row> = {
  name: string
  head: ReactNode
  label?: string
  cell: (row: Row) => ReactNode
  end?: boolean
  mono?: boolean
  sort?: Sort | undefined
}

type Props<Row> = {
  /** What the table holds; its accessible name. Hidden from sight unless `captionShown`. */
  caption: string
  captionShown?: boolean
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Stands instead of the rows where there are none. */
  empty?: ReactNode
}

/** What an element of a table is, said again: browsers drop it where a style lays it out in another way. */
const role = (name: string) => ({ role: name })

const labelOf = <Row,>({ label, head }: Column<Row>) => label ?? (typeof head === 'string' ? head : '')
const aligned = <Row,>({ end, mono }: Column<Row>) =>
  classes(end ? 'text-end tabular-nums' : 'text-start', mono && 'font-mono text-sm')

/**
 * Rows under heads, made on the server. What is wider than the window scrolls within the table's own region, which the Tab key reaches,
 * while the first cell of a row, its head, stays. In a narrow window each row is a card.
 */
export function Table<Row>({ caption, captionShown = false, columns, rows, rowKey, empty }: Props<Row>) {
  const id = useId()
  if (rows.length === 0 && empty) return empty
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      aria-labelledby={id}
      className="relative rounded-lg border border-line bg-raised sm:scroll-ps-64 sm:overflow-x-auto"
    >
      <table {...role('table')} className="w-full border-collapse text-[0.9375rem] max-sm:block">
        <caption
          id={id}
          className={
            captionShown
              ? 'px-3 py-2.5 text-start text-quiet max-sm:block max-sm:border-b max-sm:border-line'
              : 'sr-only'
          }
        >
          {caption}
        </caption>
        <thead {...role('rowgroup')} className="max-sm:sr-only">
          <tr {...role('row')} className="border-b border-line text-sm text-quiet">
            {columns.map((column, at) => (
              <Head key={column.name} column={column} isFirst={at === 0} />
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')} className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              {...role('row')}
              className="group border-b border-line last:border-b-0 hover:bg-ground max-sm:grid max-sm:gap-1.5 max-sm:px-3 max-sm:py-3"
            >
              {columns.map((column, at) =>
                at === 0 ? (
                  <RowHead key={column.name} column={column} row={row} />
                ) : (
                  <Cell key={column.name} column={column} row={row} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Stays where the rest scrolls under it. */
const FIRST = 'sm:sticky sm:start-0 sm:z-10 sm:bg-raised'

function Head<Row>({ column, isFirst }: { column: Column<Row>; isFirst: boolean }) {
  const { head, sort, end } = column
  return (
    <th
      scope="col"
      {...role('columnheader')}
      {...(sort?.now && { 'aria-sort': sort.now })}
      className={classes('px-3 py-2 font-medium whitespace-nowrap', end ? 'text-end' : 'text-start', isFirst && FIRST)}
    >
      {sort ? (
        <a href={sort.href} className="text-quiet no-underline hover:text-ink hover:underline">
          {head}
          <span aria-hidden="true">{sort.now === 'ascending' ? ' ↑' : sort.now === 'descending' ? ' ↓' : ' ↕'}</span>
        </a>
      ) : (
        head
      )}
    </th>
  )
}

function RowHead<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return (
    <th
      scope="row"
      {...role('rowheader')}
      className={classes(
        'font-medium max-sm:block max-sm:text-start sm:max-w-80 sm:px-3 sm:py-2.5 sm:group-hover:bg-ground',
        FIRST,
        aligned(column),
      )}
    >
      {column.cell(row)}
    </th>
  )
}

/** In a card the label stands before the value, which is what follows it in sight and to the ear. */
const CARD_CELL =
  'max-sm:grid max-sm:grid-cols-[minmax(5.5rem,30%)_minmax(0,1fr)] max-sm:gap-x-3 max-sm:text-start max-sm:before:font-sans max-sm:before:text-sm max-sm:before:text-quiet max-sm:before:content-[attr(data-label)]'

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const label = labelOf(column)
  return (
    <td
      {...role('cell')}
      data-label={label}
      className={classes(
        'sm:px-3 sm:py-2.5',
        aligned(column),
        label === '' ? 'max-sm:block max-sm:text-start' : CARD_CELL,
      )}
    >
      {label === '' ? column.cell(row) : <div className="min-w-0">{column.cell(row)}</div>}
    </td>
  )
}
