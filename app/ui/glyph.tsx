import type { IconNode } from 'lucide'
import { createElement } from 'react'

/**
 * A drawing of the Lucide set, in the color of the text beside it. It is hidden from screen readers: the words beside it, or the label of its
 * button, have the meaning.
 * @example <Icon of={House} />
 */
export function Icon({ of, size = 18, className }: { of: IconNode; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className ?? 'shrink-0'}
    >
      {of.map(([element, attributes], at) => createElement(element, { key: at, ...attributes }))}
    </svg>
  )
}
