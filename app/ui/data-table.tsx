import type { ReactNode } from 'react'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { absolute } from '@/lib/portal/moments'
import { Badge } from './badge'
import { classes } from './classes'
import { type Cell, cellText, type DataColumn, type TableColumn } from './data-column'

/** A line below a table: what stands in it, by column. `currency` is that of its amounts, where it is not the contractor's. */
export type TotalLine = { name: string; cells: Record<string, Cell>; currency?: string | undefined }

type Props<Row> = {
  /** The accessible name of the table, which is seen with `captionShown`. */
  caption: string
  captionShown?: boolean
  /** The first column names the row, and its link is that of the whole row. */
  columns: TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** What values are written by. A table of text and counts needs none. */
  desk?: Desk | undefined
  /** The content for no rows. */
  empty?: ReactNode
  /** The name of the line of totals, when a column has one. */
  totalName?: string
  /** The lines of totals, where there are several, as with several currencies. */
  totals?: TotalLine[] | undefined
}

const FIGURES = ['money', 'count', 'percent']
const isFigure = <Row,>(column: TableColumn<Row>) =>
  column.kind === 'parts' ? column.isFigure === true : FIGURES.includes(column.kind)

/** Sets the role of a table element explicitly, because browsers drop it when CSS changes its display. */
const role = (name: string) => ({ role: name })

/** Widths by kind: enough for any usual value. Columns of text and addresses share what is left. */
const WIDTHS = {
  text: '',
  email: '',
  money: '@xl:w-31',
  count: '@xl:w-22',
  percent: '@xl:w-22',
  day: '@xl:w-29',
  moment: '@xl:w-46',
  status: '@xl:w-30',
  phone: '@xl:w-36',
  code: '@xl:w-40',
  parts: '',
} as const satisfies Record<TableColumn<never>['kind'], string>

const widthOf = <Row,>(column: TableColumn<Row>): string => {
  if (column.kind === 'parts') return column.width ?? ''
  if (column.isShort) return '@xl:w-28'
  return column.isLong ? '' : WIDTHS[column.kind]
}

/** Classes of a column by its rank: the box around the table decides, as it may be a page or a part of one. */
const RANKS = { 1: '', 2: '@xl:@max-[42rem]:hidden', 3: '@max-[66rem]:hidden' } as const

const wraps = <Row,>(column: TableColumn<Row>) => column.kind === 'parts' || column.isLong === true

/** Classes of a column. Text that follows a figure keeps its distance, as both stand at their common edge. */
function shape<Row>(columns: TableColumn<Row>[], at: number): string {
  const [column, before] = [columns[at], columns[at - 1]]
  if (!column) return ''
  const isApart = before && isFigure(before) && !isFigure(column)
  return classes(
    isFigure(column) ? 'text-end' : 'text-start',
    isApart ? '@xl:ps-5 @xl:pe-2' : '@xl:px-2',
    '@xl:first:ps-0 @xl:last:pe-0',
    RANKS[column.rank ?? 1],
  )
}

/** Returns the column whose amount stands beside the name in a narrow box: one alone needs no label. */
function mainOf<Row>(columns: TableColumn<Row>[]): TableColumn<Row> | undefined {
  const typed = columns.filter((column) => column.kind !== 'parts')
  return (
    typed.find(({ narrow }) => narrow === 'first') ??
    typed.find(({ kind, rank = 1, narrow }) => kind === 'money' && rank === 1 && narrow === undefined)
  )
}

/**
 * A table of records, rendered on the server. Its head stays in view while the page scrolls, so no box around it scrolls sideways: columns
 * have ranks and widths instead, and text that is longer ends in an ellipsis. The whole row leads where its first cell does. In a narrow box
 * each row has two lines.
 */
export function DataTable<Row>({
  caption,
  captionShown = false,
  columns,
  rows,
  rowKey,
  desk,
  empty,
  totalName = 'Total',
  totals,
}: Props<Row>) {
  if (rows.length === 0 && empty) return empty
  const main = mainOf(columns)
  return (
    <div className="@container">
      <table {...role('table')} className="w-full table-fixed border-collapse text-md tabular-nums @max-xl:block">
        <caption className={captionShown ? 'pb-1 text-start font-semibold @max-xl:block' : 'sr-only'}>
          {caption}
        </caption>
        <thead {...role('rowgroup')} className="@max-xl:sr-only">
          <tr {...role('row')} className="text-sm text-quiet">
            {columns.map((column, at) => (
              <Head key={column.name} column={column} shape={shape(columns, at)} />
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')} className="@max-xl:block">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              {...role('row')}
              className={classes(
                // What keys go to does not hide below the head.
                'relative h-row border-b border-line hover:bg-sunken has-focus-visible:bg-sunken print:break-inside-avoid [&_a]:scroll-my-12',
                TWO_LINES,
              )}
            >
              {columns.map((column, at) => (
                <DataCell
                  key={column.name}
                  column={column}
                  row={row}
                  desk={desk}
                  isFirst={at === 0}
                  shape={classes(shape(columns, at), narrow(column, at === 0, column === main))}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <Totals columns={columns} desk={desk} lines={totals ?? ownLine(columns, totalName)} />
      </table>
    </div>
  )
}

function Head<Row>({ column, shape }: { column: TableColumn<Row>; shape: string }) {
  const { head } = column
  const sort = column.kind === 'parts' ? undefined : column.sort
  const isSeen = column.kind !== 'parts' || !column.isAction
  return (
    <th
      scope="col"
      {...role('columnheader')}
      {...(sort?.now && { 'aria-sort': sort.now })}
      className={classes(
        'sticky top-0 z-10 h-head border-b border-line bg-(--surface) py-1 align-bottom font-medium print:static',
        shape,
        widthOf(column),
      )}
    >
      {sort ? (
        <a href={sort.href} className="text-quiet no-underline hover:text-ink hover:underline">
          {head}
          <span aria-hidden="true">{sort.now === 'ascending' ? ' ↑' : sort.now === 'descending' ? ' ↓' : ''}</span>
        </a>
      ) : (
        <span className={isSeen ? undefined : 'sr-only'}>{head}</span>
      )}
    </th>
  )
}

/** Classes of a row in a narrow box: what breaks its lines stands between the first one and the second. */
const TWO_LINES =
  "@max-xl:flex @max-xl:h-auto @max-xl:min-h-row-two @max-xl:flex-wrap @max-xl:items-baseline @max-xl:gap-x-3 @max-xl:py-2 @max-xl:after:order-3 @max-xl:after:basis-full @max-xl:after:content-['']"
const LABELED = '@max-xl:before:me-1 @max-xl:before:content-[attr(data-label)]'
const QUIET_LABEL = '@max-xl:before:text-quiet'

/** Classes of a cell in a narrow box: the name and the main amount on the first line, the rest on the second one. */
function narrow<Row>(column: TableColumn<Row>, isFirst: boolean, isMain: boolean): string {
  if (isFirst) return '@max-xl:order-1 @max-xl:min-w-0 @max-xl:grow @max-xl:basis-1/2 @max-xl:wrap-anywhere'
  if (column.kind === 'parts')
    return classes('@max-xl:order-4 @max-xl:max-w-full @max-xl:text-sm', !column.isAction && LABELED, QUIET_LABEL)
  const { kind, isLong, narrow: line } = column
  if (line === 'none') return '@max-xl:hidden'
  if (isMain) return '@max-xl:order-2 @max-xl:font-medium'
  const isLabeled = line === 'labeled' || kind === 'day' || kind === 'moment' || isFigure(column)
  return classes(
    // Amounts of zero say nothing there.
    kind === 'money' && '@max-xl:has-data-zero:hidden',
    '@max-xl:order-4 @max-xl:max-w-full @max-xl:text-sm @max-xl:text-quiet',
    !isLong && '@max-xl:truncate',
    isLabeled && LABELED,
  )
}

type CellProps<Row> = {
  column: TableColumn<Row>
  row: Row
  desk: Desk | undefined
  isFirst: boolean
  shape: string
}

function DataCell<Row>({ column, row, desk, isFirst, shape }: CellProps<Row>) {
  const shared = classes(
    wraps(column) ? 'wrap-anywhere @xl:py-2' : '@xl:truncate',
    column.kind === 'code' && 'font-mono text-[0.8125rem]',
    shape,
  )
  const { content, title, isEmpty } = contentOf(column, row, desk, isFirst)
  if (isFirst)
    return (
      <th scope="row" {...role('rowheader')} className={classes(shared, 'text-start font-medium')} title={title}>
        {content}
      </th>
    )
  return (
    <td
      {...role('cell')}
      className={classes(shared, isEmpty && '@max-xl:hidden')}
      data-label={column.head}
      title={title}
    >
      {content}
    </td>
  )
}

function contentOf<Row>(column: TableColumn<Row>, row: Row, desk: Desk | undefined, isFirst: boolean) {
  if (column.kind === 'parts') {
    const content = column.parts(row)
    const isEmpty = content === null || content === undefined || content === false
    // Its links stand above the first one, which covers the row.
    return {
      isEmpty,
      content: isEmpty ? (
        <Nothing />
      ) : (
        <div
          className={classes(
            'relative z-1 w-fit max-w-full @max-xl:inline-block @max-xl:align-top',
            column.isFigure && 'ms-auto',
          )}
        >
          {content}
        </div>
      ),
    }
  }
  const value = column.value(row)
  const text = cellText(column, value, row, desk)
  if (text === undefined) return { isEmpty: true, content: <Nothing /> }
  const under = column.under?.(row)
  const title = titleOf(column, value, text)
  const shown = <Shown column={column} row={row} text={text} isFirst={isFirst} />
  return {
    isEmpty: false,
    title,
    content: under ? (
      <>
        {shown}
        <span className="block truncate pb-1 text-sm font-normal text-quiet">{cleanText(under)}</span>
      </>
    ) : (
      shown
    ),
  }
}

/** Returns the tooltip of a cell: a moment in UTC, and text that may be cut. */
function titleOf<Row>(column: DataColumn<Row>, value: Cell, text: string): string | undefined {
  if (column.kind === 'moment' && value) return absolute(new Date(value), true)
  return !wraps(column) && ['text', 'email', 'code'].includes(column.kind) ? text : undefined
}

const Nothing = () => (
  <span className="text-quiet">
    <span aria-hidden="true">–</span>
    <span className="sr-only">none</span>
  </span>
)

function Shown<Row>({
  column,
  row,
  text,
  isFirst,
}: {
  column: DataColumn<Row>
  row: Row
  text: string
  isFirst: boolean
}) {
  const href = hrefOf(column, row, text)
  const content = textOf(column, row, text)
  if (href === undefined) return content
  // The first link covers its row; the others stand above it.
  return (
    <a
      href={href}
      className={classes(
        'inline-block py-0.5 no-underline hover:underline @xl:max-w-full @xl:truncate @xl:align-bottom',
        isFirst ? 'after:absolute after:inset-0' : 'relative z-1',
      )}
    >
      {content}
    </a>
  )
}

/** Returns what is shown of a cell's text: a status with its tone, an amount of zero quietly. */
function textOf<Row>({ kind, tone, value }: DataColumn<Row>, row: Row, text: string): ReactNode {
  if (kind === 'status') return <Badge tone={tone?.(row) ?? 'neutral'}>{text}</Badge>
  if (kind !== 'money' || value(row) !== 0) return text
  return (
    <span className="text-quiet" data-zero="">
      {text}
    </span>
  )
}

function hrefOf<Row>({ kind, href, value }: DataColumn<Row>, row: Row, text: string): string | undefined {
  if (href) return href(row)
  if (kind === 'phone') return `tel:${String(value(row)).replace(/[^+\d]/g, '')}`
  return kind === 'email' ? `mailto:${encodeURIComponent(text).replace('%40', '@')}` : undefined
}

/** The line of the totals that the columns have themselves. */
function ownLine<Row>(columns: TableColumn<Row>[], name: string): TotalLine[] {
  const totals = columns.flatMap((column) =>
    column.kind === 'parts' || column.total === undefined ? [] : [[column.name, column.total] as const],
  )
  return totals.length === 0 ? [] : [{ name, cells: Object.fromEntries(totals) }]
}

type TotalsProps<Row> = { columns: TableColumn<Row>[]; desk: Desk | undefined; lines: TotalLine[] }

/** The lines of totals below a table; the columns without one are left empty. */
function Totals<Row>({ columns, desk, lines }: TotalsProps<Row>) {
  if (lines.length === 0) return null
  return (
    <tfoot {...role('rowgroup')} className="@max-xl:block">
      {lines.map(({ name, cells, currency }) => (
        <tr
          key={name}
          {...role('row')}
          className="h-row font-semibold @max-xl:flex @max-xl:h-auto @max-xl:flex-wrap @max-xl:gap-x-3 @max-xl:py-2"
        >
          {columns.map((column, at) => {
            const shared = classes('@xl:truncate', shape(columns, at))
            if (at === 0)
              return (
                <th key={column.name} scope="row" {...role('rowheader')} className={classes(shared, '@max-xl:grow')}>
                  {name}
                </th>
              )
            const text = totalText(column, cells[column.name], currency, desk)
            return (
              <td
                key={column.name}
                {...role('cell')}
                data-label={column.head}
                className={classes(shared, text ? LABELED : '@max-xl:hidden', '@max-xl:before:font-normal')}
              >
                {text}
              </td>
            )
          })}
        </tr>
      ))}
    </tfoot>
  )
}

function totalText<Row>(column: TableColumn<Row>, value: Cell, currency: string | undefined, desk: Desk | undefined) {
  if (column.kind === 'parts') return undefined
  if (desk && typeof value === 'number' && column.kind === 'money') return desk.words.money(value, currency)
  return cellText(column, value, undefined, desk)
}
