import { type ReactNode, useId } from 'react'
import { CSV_MARK, csvLine } from '@/lib/core/csv-line'
import type { Desk } from '@/lib/core/desk'
import { classes } from './classes'
import { type DataColumn, fileCell } from './data-column'
import { DataTable } from './data-table'

/** The figures behind a picture, as a table that opens below it, or the id of the table on the page that has them. */
export type Figures<Row> = { columns: DataColumn<Row>[]; rows: readonly Row[]; rowKey: (row: Row) => string }

export type ChartFrame<Row> = {
  /** The caption, such as "Requests per hour". */
  title: string
  /** What the picture shows in a sentence, for people who cannot see it. */
  label: string
  note?: ReactNode
  /** The figures, unless a table beside the picture has them. */
  figures?: Figures<Row> | undefined
  desk: Desk
  className?: string
}

/** The frame of every picture: its caption, what its colors mean, the picture, and its figures as a table that can be downloaded. */
export function Chart<Row>({
  title,
  note,
  legend,
  figures,
  desk,
  className,
  children,
}: Omit<ChartFrame<Row>, 'label'> & { legend?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <figure
      aria-labelledby={id}
      className={classes('min-w-0 break-inside-avoid rounded-lg border border-line bg-raised p-4', className)}
    >
      <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span id={id} className="font-semibold">
          {title}
        </span>
        {legend}
        {note && <span className="text-sm text-quiet">{note}</span>}
      </figcaption>
      {children}
      {figures && <FigureTable title={title} figures={figures} desk={desk} />}
    </figure>
  )
}

function FigureTable<Row>({ title, figures, desk }: { title: string; figures: Figures<Row>; desk: Desk }) {
  const { columns, rows } = figures
  const file = [columns.map(({ head }) => head), ...rows.map((row) => columns.map((column) => fileCell(column, row)))]
  const text = CSV_MARK + file.map(csvLine).join('')
  return (
    <details className="mt-3 print:hidden">
      <summary className="w-fit text-sm text-quiet">Figures as a table</summary>
      <div className="mt-2 max-h-80 overflow-y-auto pe-2">
        <DataTable caption={title} {...figures} desk={desk} />
      </div>
      <a
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(text)}`}
        download={`${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`}
        className="mt-2 inline-block text-sm"
      >
        Download CSV
      </a>
    </details>
  )
}
