'use client'

import { classes, PRE, SHORT } from '@/app/ui/classes'

/** Shows text unchanged in a scrolling box that is reachable by keyboard. `wrapping` is for long lines. */
export function Code({ label, text, wrapping = false }: { label: string; text: string; wrapping?: boolean }) {
  const look = classes(PRE, SHORT, wrapping && 'whitespace-pre-wrap')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, this is text.
    <pre tabIndex={0} role="group" aria-label={label} className={look}>
      <code className={wrapping ? 'wrap-anywhere' : undefined}>{text}</code>
    </pre>
  )
}
