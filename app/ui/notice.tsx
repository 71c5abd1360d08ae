import type { ReactNode } from 'react'
import type { Tone } from './badge'
import { TONES } from './badge'
import { classes } from './classes'

/** Words that must be seen: what happened, why, what next. `alert` reads them out at once; without it they are read in place. */
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
