import { CircleAlert, CircleCheck, type IconNode, Info, TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import type { Tone } from './badge'
import { TONES } from './badge'
import { classes } from './classes'
import { Icon } from './glyph'

const ICONS: Record<Tone, IconNode> = {
  neutral: Info,
  active: Info,
  good: CircleCheck,
  warn: TriangleAlert,
  danger: CircleAlert,
}

/**
 * An important message: what happened, why, and what to do next. With `alert`, screen readers announce it at once; otherwise they
 * read it in place.
 */
export function Notice({
  tone = 'neutral',
  title,
  alert = false,
  children,
}: {
  tone?: Tone
  title?: string
  alert?: boolean
  children?: ReactNode
}) {
  return (
    <div
      {...(alert && { role: 'alert' })}
      className={classes(
        'flex gap-3 rounded-md border border-current px-4 py-3',
        tone === 'danger' ? 'bg-danger-ground' : 'bg-raised',
        TONES[tone],
      )}
    >
      <Icon of={ICONS[tone]} className="mt-[3px] shrink-0" />
      <div className="min-w-0 flex-1">
        {title && <strong className="font-semibold">{title} </strong>}
        <div className="grid gap-2 text-ink">{children}</div>
      </div>
    </div>
  )
}
