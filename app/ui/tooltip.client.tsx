'use client'

import { type ReactNode, useId, useRef, useState } from 'react'
import { OnDemand, part } from './on-demand.client'
import type { TooltipBubbleProps } from './tooltip-bubble.client'

const BUBBLE = part<TooltipBubbleProps>(async () => (await import('./tooltip-bubble.client')).TooltipBubble)

/**
 * A word with an explanation that is shown on hover or focus and hidden by Escape (WCAG 1.4.13). Use it for extra help; put what people
 * need on the page.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-describedby={id}
        className="cursor-help underline decoration-edge decoration-dotted underline-offset-4"
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onPointerEnter={() => setOpen(true)}
        onPointerLeave={() => setOpen(false)}
      >
        {children}
      </button>
      <span id={id} hidden>
        {text}
      </span>
      <OnDemand of={BUBBLE} isWanted={isOpen} props={{ isOpen, onClose: () => setOpen(false), button, text }} />
    </>
  )
}
