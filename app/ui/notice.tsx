import type { ReactNode } from 'react'
import type { Tone } from './badge'
import { TONES } from './badge'
import { classes } from './classes'

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
      className={classes('rounded-md border border-s-4 border-current bg-raised px-4 py-3', TONES[tone])}
    >
      {title && <strong className="font-semibold">{title} </strong>}
      <div className="grid gap-2 text-ink">{children}</div>
    </div>
  )
}
