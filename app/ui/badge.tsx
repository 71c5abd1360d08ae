import { TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { classes } from './classes'
import { Icon } from './glyph'

/** The tone of a state. */
export type Tone = 'neutral' | 'good' | 'warn' | 'danger' | 'active'

export const TONES: Record<Tone, string> = {
  neutral: 'text-quiet',
  good: 'text-good',
  warn: 'text-warn',
  danger: 'text-danger',
  active: 'text-focus',
}

/** Shows a state as a word. The word has the meaning; the color only helps to find it. Danger has an icon too. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-full border border-current px-2 text-xs/[1.25rem] font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {tone === 'danger' && <Icon of={TriangleAlert} size={12} />}
      {children}
    </span>
  )
}

/** Returns the tone of an HTTP status: success, a caller's error, or a server error. */
export const statusTone = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'danger')
