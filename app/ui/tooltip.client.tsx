'use client'

import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

/**
 * A word with more to say about it, shown by pointer or focus, hidden by Escape (WCAG 1.4.13). For what helps; what is needed stands
 * on the page.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  const id = useId()
  const hide = () => setShown(false)
  const show = () => setShown(true)
  return (
    <span className="relative inline-block" onPointerEnter={show} onPointerLeave={hide}>
      <button
        type="button"
        aria-describedby={id}
        className="cursor-help underline decoration-edge decoration-dotted underline-offset-4"
        onFocus={show}
        onBlur={hide}
        onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && hide()}
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        hidden={!isShown}
        className="absolute start-0 top-full z-30 w-max max-w-64 rounded-md bg-ink px-2.5 py-1.5 text-sm text-ground shadow-lg"
      >
        {text}
      </span>
    </span>
  )
}
