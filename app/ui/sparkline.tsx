import { FILLS, Stretched, Stroke } from './chart-plot'
import { lineOf, type Series, scaleOf, type Tone } from './chart-shapes'

const HEIGHT = 36

/** A small line of values over time beside a figure; its label says in words what it shows. */
export function Sparkline({
  label,
  values,
  tone = 'first',
}: {
  label: string
  values: readonly number[]
  tone?: Tone
}) {
  const series: Series = { name: label, tone, values }
  const scale = scaleOf([series], { fit: true, height: HEIGHT - 3, room: 3 })
  const last = values.at(-1)
  return (
    <svg role="img" aria-label={label} height={HEIGHT} className="w-full overflow-visible">
      <Stretched height={HEIGHT}>
        <Stroke path={lineOf(values, scale)} tone={tone} />
      </Stretched>
      {last !== undefined && <circle cx="100%" cy={scale.y(last)} r={2.5} className={FILLS[tone]} />}
    </svg>
  )
}
