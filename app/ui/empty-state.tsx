import type { ReactNode } from 'react'
import { CodeBlock } from './code-block'

type Props = {
  title: string
  text: ReactNode
  /** What to do next: a `LinkButton` or a `Button`. */
  action?: ReactNode
  /** The exact command that creates the first entry, with the real URL. */
  curl?: string
}

/** Shown when there is nothing yet: says what will appear here and how to get it. */
export function EmptyState({ title, text, action, curl }: Props) {
  return (
    <div className="rounded-lg border border-dashed border-edge px-5 py-8">
      <h2>{title}</h2>
      <div className="mt-1 max-w-prose text-quiet">{text}</div>
      {action && <div className="mt-4 flex flex-wrap gap-2">{action}</div>}
      {curl && (
        <div className="mt-5">
          <CodeBlock code={curl} language="shell" label="Command" />
        </div>
      )}
    </div>
  )
}
