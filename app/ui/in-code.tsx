import type { ReactNode } from 'react'

/** Shows a sentence, with the parts between backticks as code. */
export function InCode({ text }: { text: string }): ReactNode {
  return text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that does not change have no other name.
      <code key={at} className="font-mono text-[0.9375em]">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
