import type { ReactNode } from 'react'
import { classes } from './classes'

/** The tone of a state. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent'

export const TONES: Record<Tone, string> = {
  neutral: 'text-quiet',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
}

/** Shows a state as a word. The word has the meaning; the color only helps to find it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-block rounded-full border border-current px-2 font-mono text-[0.8125rem]/[1.5] font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

/** Returns the tone of an HTTP status: success, a caller's error, or a server error. */
export const statusTone = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')
