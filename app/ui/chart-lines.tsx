import { Chart, type ChartFrame } from './chart'
import { FILLS, Legend, Plot, Stretched, Stroke } from './chart-plot'
import { CHART_HEIGHT, lineOf, type Series, scaleOf } from './chart-shapes'

type Props<Row> = ChartFrame<Row> & {
  series: readonly Series[]
  places: readonly string[]
  /** Whether the values are counts, which have no halves. */
  whole?: boolean
  markText: (value: number) => string
  /** Which places are named below the picture; evenly without it. */
  named?: readonly number[]
  height?: number
}

/** Lines over places in time. */
export function Lines<Row>({
  series,
  places,
  whole,
  markText,
  named,
  height = CHART_HEIGHT,
  label,
  ...frame
}: Props<Row>) {
  const scale = scaleOf(series, { whole: whole ?? false, height })
  return (
    <Chart {...frame} legend={<Legend series={series} kinds={series.map(() => 'line')} />}>
      <Plot label={label} scale={scale} kind="lines" places={places} named={named} height={height} markText={markText}>
        <Stretched height={height}>
          {series.map(({ name, tone, values }) => (
            <Stroke key={name} path={lineOf(values, scale)} tone={tone} />
          ))}
        </Stretched>
        {series.map(({ name, tone, values }) => {
          const last = values.at(-1)
          return (
            typeof last === 'number' && <circle key={name} cx="100%" cy={scale.y(last)} r={3} className={FILLS[tone]} />
          )
        })}
      </Plot>
    </Chart>
  )
}
