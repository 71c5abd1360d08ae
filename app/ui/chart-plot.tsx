import type { ReactNode } from 'react'
import { middlesOf, namesBelow, type Series, type scaleOf, type Tone } from './chart-shapes'
import { classes } from './classes'

export const FILLS: Record<Tone, string> = {
  first: 'fill-series-1',
  second: 'fill-series-2',
  third: 'fill-series-3',
  fault: 'fill-danger',
}
export const STROKES: Record<Tone, string> = {
  first: 'stroke-series-1',
  second: 'stroke-series-2',
  third: 'stroke-series-3',
  fault: 'stroke-danger',
}
/** Dashes, for readers who cannot tell the colors apart. */
export const DASHES: Record<Tone, string | undefined> = { first: undefined, second: '6 4', third: '2 3', fault: '6 3' }

const AXIS_WIDTH = 56
const BELOW = 22
/** The pixels of a picture at least, and the most places that are named below it, in a narrow window and in others. */
const WINDOWS = [
  { width: 198, most: 4, className: 'sm:hidden' },
  { width: 500, most: 12, className: 'max-sm:hidden' },
]

type Props = {
  label: string
  scale: ReturnType<typeof scaleOf>
  kind: 'bars' | 'lines'
  /** The places across, each by the text that names it below the picture, and which of them are named; evenly without it. */
  places: readonly string[]
  named?: readonly number[] | undefined
  height: number
  /** The text of a mark on the upright axis. */
  markText: (value: number) => string
  children: ReactNode
}

/** The plane of a picture: its axes, and what is drawn on it. Across it is as wide as its place; its texts keep their size. */
export function Plot({ label, scale: { marks, y }, kind, places, named, height: plane, markText, children }: Props) {
  const across = middlesOf(places.length, kind)
  const longest = Math.max(...places.map((name) => name.length))
  const height = plane + BELOW
  return (
    <div className="flex">
      <svg aria-hidden="true" width={AXIS_WIDTH} height={height} className="shrink-0">
        {marks.map((mark) => (
          <text
            key={mark.value}
            x={AXIS_WIDTH - 8}
            y={mark.y + 4}
            textAnchor="end"
            className="fill-quiet text-xs tabular-nums"
          >
            {markText(mark.value)}
          </text>
        ))}
      </svg>
      <svg role="img" aria-label={label} height={height} className="min-w-0 grow overflow-visible">
        {marks.map((mark) => (
          <line
            key={mark.value}
            x1="0"
            x2="100%"
            y1={mark.y}
            y2={mark.y}
            className={mark.value === 0 ? 'stroke-edge' : 'stroke-line'}
          />
        ))}
        {children}
        {marks.every(({ value }) => value !== 0) && (
          <line x1="0" x2="100%" y1={y(0)} y2={y(0)} className="stroke-edge" />
        )}
        {WINDOWS.map(({ className, ...window }) => (
          <g key={className} className={classes('fill-quiet text-xs', className)}>
            {namesBelow(across, { ...window, longest, of: named }).map(({ place, x, anchor }) => (
              <text key={place} x={`${x}%`} y={height - 4} textAnchor={anchor}>
                {places[place]}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}

/** What the colors of a picture mean; none for a single one. */
export function Legend({ series, kinds }: { series: readonly Series[]; kinds: readonly ('bar' | 'line')[] }) {
  if (series.length < 2) return null
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm text-quiet">
      {series.map(({ name, tone }, at) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width={16} height={10}>
            {kinds[at] === 'line' ? (
              <line
                x1={0}
                x2={16}
                y1={5}
                y2={5}
                strokeWidth={2}
                strokeDasharray={DASHES[tone]}
                className={STROKES[tone]}
              />
            ) : (
              <rect width={10} height={10} x={3} rx={2} className={FILLS[tone]} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

/** A layer as wide as the picture, for lines over places of 0 to 100 across. Its strokes are not stretched. */
export function Stretched({ height, children }: { height: number; children: ReactNode }) {
  return (
    <svg aria-hidden="true" width="100%" height={height} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none">
      {children}
    </svg>
  )
}

/** One line of a stretched layer. */
export const Stroke = ({ path, tone }: { path: string; tone: Tone }) => (
  <path
    d={path}
    fill="none"
    strokeWidth={2}
    strokeDasharray={DASHES[tone]}
    vectorEffect="non-scaling-stroke"
    className={STROKES[tone]}
  />
)
