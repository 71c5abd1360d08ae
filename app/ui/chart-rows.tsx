import { Chart, type ChartFrame } from './chart'

/** A row of a picture: its name, its value and its value as text. */
type Row = { name: string; value: number; text: string }

/** A bar for each of some named values, below each other; `most` is the value of a full bar. The values stand beside their names. */
export function RowBars<Line>({
  rows,
  most,
  label,
  ...frame
}: ChartFrame<Line> & { rows: readonly Row[]; most: number }) {
  return (
    <Chart {...frame}>
      <ul aria-label={label} className="grid gap-2">
        {rows.map(({ name, value, text }) => (
          <li
            key={name}
            className="grid grid-cols-[7rem_minmax(0,1fr)_7rem] items-center gap-3 text-sm max-sm:grid-cols-[1fr_auto]"
          >
            <span className="truncate">{name}</span>
            <svg
              aria-hidden="true"
              height={18}
              className="w-full overflow-hidden rounded-sm bg-sunken max-sm:order-last max-sm:col-span-2"
            >
              <rect
                width={`${most > 0 ? Math.round((Math.max(0, value) / most) * 10_000) / 100 : 0}%`}
                height={18}
                rx={2}
                className="fill-series-1"
              />
            </svg>
            <span className="tabular-nums max-sm:text-end">{text}</span>
          </li>
        ))}
      </ul>
    </Chart>
  )
}
