import { Chart, type ChartFrame } from './chart'
import { partsOf } from './chart-shapes'

/** The colors of parts: of series in their order, or of ages from the newest to the oldest. */
const SCHEMES = {
  series: ['fill-series-1', 'fill-series-2', 'fill-series-3'],
  ages: ['fill-ages-1', 'fill-ages-2', 'fill-ages-3', 'fill-ages-4', 'fill-ages-5'],
} as const

/** A part of a whole: its name, its value and its value as text. */
export type Part = { name: string; value: number; text: string }

/** Returns the class that colors a part, for keys beside the bar. */
export const partFill = (scheme: keyof typeof SCHEMES, part: number): string => SCHEMES[scheme][part] ?? 'fill-edge'

/** One bar of all parts of a whole, each named below it, the parts 2 px apart. Without a whole it is an empty bar. */
export function StackedBar<Row>({
  parts,
  scheme,
  label,
  keyless = false,
  ...frame
}: ChartFrame<Row> & {
  parts: readonly Part[]
  scheme: keyof typeof SCHEMES
  /** Whether the parts are named beside the picture already. */
  keyless?: boolean
}) {
  return (
    <Chart {...frame}>
      <StackedBarShape parts={parts} scheme={scheme} label={label} />
      {!keyless && (
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {parts.map(({ name, text }, part) => (
            <li key={name} className="inline-flex items-center gap-1.5">
              <PartKey scheme={scheme} part={part} />
              {name} <span className="text-quiet tabular-nums">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Chart>
  )
}

/** The square in the color of a part. */
export const PartKey = ({ scheme, part }: { scheme: keyof typeof SCHEMES; part: number }) => (
  <svg aria-hidden="true" width={10} height={10} className="shrink-0">
    <rect width={10} height={10} rx={2} className={partFill(scheme, part)} />
  </svg>
)

/** The bar alone. */
export function StackedBarShape({
  parts,
  scheme,
  label,
  height = 28,
}: {
  parts: readonly Part[]
  scheme: keyof typeof SCHEMES
  label: string
  height?: number
}) {
  const placed = partsOf(parts.map(({ value }) => value))
  return (
    <svg role="img" aria-label={label} height={height} className="block w-full overflow-hidden rounded-md bg-sunken">
      {placed.map(({ part, x, width }) => (
        <g key={part}>
          <title>{`${parts[part]?.name}: ${parts[part]?.text}`}</title>
          <rect x={`${x}%`} width={`${width}%`} height={height} className={partFill(scheme, part)} />
          {x > 0 && <rect x={`${x}%`} width={2} height={height} className="fill-raised" />}
        </g>
      ))}
    </svg>
  )
}
