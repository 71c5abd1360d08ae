type Bar = { at: string; value: number; bad: number }

const HEIGHT = 40
const STEP = 10

/** One bar per hour, as high as its requests, with the failed ones at the bottom. The figures are also given in words. */
export function Sparkline({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  // The smallest value is still visible.
  const high = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${STEP * Math.max(1, bars.length)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-10 w-full"
    >
      {bars.map(({ at, value, bad }, index) => (
        <g key={at}>
          <rect x={index * STEP} y={HEIGHT - 1} width={STEP - 2} height={1} className="fill-edge" />
          <rect
            x={index * STEP}
            y={HEIGHT - high(value)}
            width={STEP - 2}
            height={high(value)}
            className="fill-chart"
          />
          <rect x={index * STEP} y={HEIGHT - high(bad)} width={STEP - 2} height={high(bad)} className="fill-bad" />
        </g>
      ))}
    </svg>
  )
}
