import { type ReactNode, useId } from 'react'
import { classes } from './classes'

/** A column: its header, and its content for a row. `end` aligns numbers; `mono` is for ids, paths and amounts. */
export type Column<Row> = {
  name: string
  head: ReactNode
  cell: (row: Row) => ReactNode
  end?: boolean
  mono?: boolean
}

type Props<Row> = {
  /** What the table contains; its accessible name. Visually hidden unless `captionShown`. */
  caption: string
  captionShown?: boolean
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode
}

/**
 * A table. One wider than the window scrolls in its own region, which the Tab key reaches. The first cell of a row is its header.
 */
export function Table<Row>({ caption, captionShown = false, columns, rows, rowKey, empty }: Props<Row>) {
  const id = useId()
  if (rows.length === 0 && empty) return empty
  const aligned = ({ end, mono }: Column<Row>) =>
    classes('px-3 py-2.5', end ? 'text-end tabular-nums' : 'text-start', mono && 'font-mono text-sm')
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      aria-labelledby={id}
      className="relative overflow-x-auto rounded-lg border border-line bg-raised"
    >
      <table className="w-full border-collapse text-[0.9375rem]">
        <caption id={id} className={captionShown ? 'px-3 py-2.5 text-start text-quiet' : 'sr-only'}>
          {caption}
        </caption>
        <thead>
          <tr className="border-b border-line text-sm text-quiet">
            {columns.map(({ name, head, end }) => (
              <th
                key={name}
                scope="col"
                className={classes('px-3 py-2 font-medium whitespace-nowrap', end ? 'text-end' : 'text-start')}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-b-0 hover:bg-ground">
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.name} scope="row" className={classes(aligned(column), 'font-medium')}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} className={aligned(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
