'use client'

import { classes } from '@/app/ui/classes'
import { PRE, SHORT } from '@/app/ui/pre'

/** Text as it is, in a box that scrolls and can be reached by keyboard; `wrapping` where its lines are long. */
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
