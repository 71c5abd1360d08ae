import { absolute } from '@/lib/portal/moments'
import { type ChartSeries, Lines } from './chart.client'
import { type Column, Table } from './table'

type Props = {
  /** The chart's name and caption: "Requests per hour". */
  title: string
  /** Times, ascending. */
  at: Date[]
  /** The lines, each as long as `at`; null for unknown values. */
  series: ChartSeries[]
  unit?: string
}

type Point = { at: Date; values: (number | null)[] }

const figure = (value: number | null | undefined) => (value ?? undefined)?.toLocaleString('en-US') ?? '–'

/** Lines over time, with the same figures as a table for people who cannot see them. uPlot is loaded only with the first chart. */
export function Chart({ title, at, series, unit }: Props) {
  const rows: Point[] = at.map((moment, index) => ({
    at: moment,
    values: series.map(({ values }) => values[index] ?? null),
  }))
  const columns: Column<Point>[] = [
    { name: 'at', width: 'sm:w-52', head: 'Time', mono: true, cell: (row) => absolute(row.at) },
    ...series.map(
      ({ name }, index): Column<Point> => ({
        name,
        width: 'sm:w-28',
        head: name,
        end: true,
        cell: (row: Point) => figure(row.values[index]),
      }),
    ),
  ]
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-raised p-4">
      <figcaption className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{title}</span>
        {unit && <span className="text-sm text-quiet">{unit}</span>}
      </figcaption>
      <Lines at={at.map((moment) => moment.getTime() / 1000)} series={series} />
      <details className="mt-3">
        <summary className="w-fit text-sm text-quiet">Figures as a table</summary>
        <div className="mt-2 max-h-80 overflow-y-auto">
          <Table caption={title} columns={columns} rows={rows} rowKey={(row) => row.at.toISOString()} />
        </div>
      </details>
    </figure>
  )
}
