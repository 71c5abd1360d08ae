import { Chart, type ChartFrame } from './chart'
import { FILLS, Legend, Plot, Stretched, Stroke } from './chart-plot'
import { barsOf, CHART_HEIGHT, lineOf, middlesOf, rounded, type Series, scaleOf } from './chart-shapes'

type Props<Row> = ChartFrame<Row> & {
  series: readonly Series[]
  /** A line over the bars, such as what is left of them. */
  over?: Series
  places: readonly string[]
  /** The names of places where the pointer rests, if they are longer than those below the picture. */
  tips?: readonly string[]
  /** Whether bars stand side by side in a place; otherwise those after stand before the others. */
  beside?: boolean
  /** Whether the values are counts, which have no halves. */
  whole?: boolean
  markText: (value: number) => string
  /** Which places are named below the picture; evenly without it. */
  named?: readonly number[]
  height?: number
  /** The text of a value in full, shown where the pointer rests. */
  text: (value: number) => string
}

/** Bars in each of some places, from zero up or down, with a line over them where one is wanted. */
export function Bars<Row>({
  series,
  over,
  places,
  tips = places,
  beside,
  whole,
  markText,
  text,
  named,
  height = CHART_HEIGHT,
  label,
  ...frame
}: Props<Row>) {
  const all = over ? [...series, over] : series
  const scale = scaleOf(all, { whole: whole ?? false, height })
  const bars = barsOf(series, scale, { beside: beside ?? false, places: places.length })
  const width = rounded(100 / Math.max(1, places.length))
  const middles = middlesOf(places.length, 'bars')
  return (
    <Chart {...frame} legend={<Legend series={all} kinds={all.map((one) => (one === over ? 'line' : 'bar'))} />}>
      <Plot label={label} scale={scale} kind="bars" places={places} named={named} height={height} markText={markText}>
        {bars.map(({ series: of, place, x, width: wide, y, height: high }) => (
          <rect
            key={`${of} ${place}`}
            x={`${x}%`}
            y={y}
            width={`${wide}%`}
            height={high}
            rx={1}
            className={FILLS[series[of]?.tone ?? 'first']}
          />
        ))}
        {over && <Over over={over} scale={scale} height={height} />}
        {middles.map((middle, place) => (
          <rect
            key={middle}
            x={`${rounded((place * 100) / places.length)}%`}
            width={`${width}%`}
            y={0}
            height={height}
            className="fill-transparent"
          >
            <title>
              {[tips[place], ...all.map((one) => `${one.name} ${text(one.values[place] ?? 0)}`)].join('\n')}
            </title>
          </rect>
        ))}
      </Plot>
    </Chart>
  )
}

function Over({ over, scale, height }: { over: Series; scale: ReturnType<typeof scaleOf>; height: number }) {
  const across = middlesOf(over.values.length, 'bars')
  return (
    <>
      <Stretched height={height}>
        <Stroke path={lineOf(over.values, scale, 'bars')} tone={over.tone} />
      </Stretched>
      {over.values.map((value, place) =>
        value === null ? null : (
          <circle key={across[place]} cx={`${across[place]}%`} cy={scale.y(value)} r={3} className={FILLS[over.tone]} />
        ),
      )}
    </>
  )
}
