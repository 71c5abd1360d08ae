import { type ReactNode, useId } from 'react'
import { classes } from './classes'

/** How a list is sorted by a column: the link that sorts it, and the current order if it is sorted by this column. */
export type Sort = { href: string; now?: 'ascending' | 'descending' | undefined }

/**
 * A column: its header and its cell for a row. The first column names the row. `end` aligns figures; `mono` is for ids, paths and
 * amounts. `label` replaces a header that is not plain text in cards; '' for buttons, which need no label. `width` is its
 * minimum width in a window that shows a table. If every column has one, the layout does not shift while rows arrive.
 */
export type Column<Row> = {
  name: string
  head: ReactNode
  label?: string
  cell: (row: Row) => ReactNode
  end?: boolean
  mono?: boolean
  sort?: Sort | undefined
  width?: `sm:w-${number}`
}

type Props<Row> = {
  /** The accessible name of the table. Visually hidden unless `captionShown`. */
  caption: string
  captionShown?: boolean
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Shown when there are no rows. */
  empty?: ReactNode
}

/** Sets the role of a table element explicitly, because browsers drop it when CSS changes its display. */
const role = (name: string) => ({ role: name })

const labelOf = <Row,>({ label, head }: Column<Row>) => label ?? (typeof head === 'string' ? head : '')
const aligned = <Row,>({ end, mono }: Column<Row>) =>
  classes(end ? 'text-end tabular-nums' : 'text-start', mono && 'font-mono text-sm')

/**
 * A table rendered on the server. A table wider than the window scrolls in its own region, which the Tab key reaches, while the first
 * cell of each row stays in place. In a narrow window each row is a card.
 */
export function Table<Row>({ caption, captionShown = false, columns, rows, rowKey, empty }: Props<Row>) {
  const id = useId()
  if (rows.length === 0 && empty) return empty
  const isFixed = columns.every(({ width }) => width !== undefined)
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      aria-labelledby={id}
      className="relative rounded-lg border border-line bg-raised sm:scroll-ps-64 sm:overflow-x-auto"
    >
      <table
        {...role('table')}
        className={classes(
          'w-full border-collapse text-[0.9375rem] max-sm:block',
          isFixed && 'wrap-anywhere sm:table-fixed',
        )}
      >
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

/** Keeps the first column in place while the others scroll. */
const FIRST = 'sm:sticky sm:start-0 sm:z-10 sm:bg-raised'

function Head<Row>({ column, isFirst }: { column: Column<Row>; isFirst: boolean }) {
  const { head, sort, end, width } = column
  return (
    <th
      scope="col"
      {...role('columnheader')}
      {...(sort?.now && { 'aria-sort': sort.now })}
      className={classes(
        'px-2 py-2 font-medium whitespace-nowrap first:ps-3 last:pe-3',
        end ? 'text-end' : 'text-start',
        isFirst && FIRST,
        width,
      )}
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
        'font-medium max-sm:block max-sm:text-start sm:max-w-80 sm:ps-3 sm:pe-2 sm:py-2.5 sm:group-hover:bg-ground',
        FIRST,
        aligned(column),
      )}
    >
      {column.cell(row)}
    </th>
  )
}

/** In a card each value has its label before it, for the eye and for screen readers. */
const CARD_CELL =
  'max-sm:grid max-sm:grid-cols-[minmax(5.5rem,30%)_minmax(0,1fr)] max-sm:gap-x-3 max-sm:text-start max-sm:before:font-sans max-sm:before:text-sm max-sm:before:text-quiet max-sm:before:content-[attr(data-label)]'

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const label = labelOf(column)
  return (
    <td
      {...role('cell')}
      data-label={label}
      className={classes(
        'sm:px-2 sm:py-2.5 sm:last:pe-3',
        aligned(column),
        label === '' ? 'max-sm:block max-sm:text-start' : CARD_CELL,
      )}
    >
      {label === '' ? column.cell(row) : <div className="min-w-0">{column.cell(row)}</div>}
    </td>
  )
}
