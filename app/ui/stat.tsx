import type { ReactNode } from 'react'
import { FILLS, Stretched, Stroke } from './chart-plot'
import { lineOf, type Series, scaleOf, type Tone } from './chart-shapes'
import { classes } from './classes'

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

/** How a figure differs from an earlier one, in words, and whether that is good news. */
export type Change = { text: string; tone?: 'good' | 'danger' }

type Props = {
  name: ReactNode
  figure: string
  /** Its list or report, which has the same total. */
  href?: string | undefined
  note?: ReactNode
  change?: Change | undefined
  /** Its last 30 days, with what the line shows in words. */
  line?: { label: string; values: readonly number[] } | undefined
  size?: 'large' | 'small'
}

/** A figure with its name, how it changed, and a small line of its last days. All of it leads where its total comes from. */
export function Stat({ name, figure, href, note, change, line, size = 'large' }: Props) {
  return (
    <div className="relative flex min-w-0 flex-col rounded-lg border border-line bg-raised p-4 break-inside-avoid">
      <p className="flex items-center gap-2 text-sm text-quiet">
        {href ? (
          <a
            href={href}
            className="inline-flex items-center gap-2 text-quiet no-underline after:absolute after:inset-0 hover:underline"
          >
            {name}
          </a>
        ) : (
          name
        )}
      </p>
      <p className={classes('mt-1 font-semibold tabular-nums', size === 'large' ? 'text-2xl' : 'text-lg')}>{figure}</p>
      {note && <p className="text-sm text-quiet">{note}</p>}
      {change && (
        <p
          className={classes(
            'text-sm',
            change.tone === 'good' ? 'text-good' : change.tone === 'danger' ? 'text-danger' : 'text-quiet',
          )}
        >
          {change.text}
        </p>
      )}
      {line && line.values.length > 1 && (
        <div className="mt-auto pt-3">
          <Sparkline {...line} />
        </div>
      )}
    </div>
  )
}
