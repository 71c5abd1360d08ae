import type { ReactNode } from 'react'
import { classes } from './classes'
import { CodeBlock } from './code-block'

type Props = {
  /**
   * Why there is nothing: `none` exists yet, the `filters` find none, a `fault` keeps it from being shown, or the reader lacks the `rights`.
   * A fault is announced.
   */
  kind?: 'none' | 'filters' | 'fault' | 'rights'
  title: string
  text: ReactNode
  /** The next step: a `LinkButton` or a `Button`. */
  action?: ReactNode
  /** The exact command that creates the first entry, with the real URL. */
  curl?: string
}

/** A message for when there is nothing to show: says why, and what to do next. */
export function EmptyState({ kind = 'none', title, text, action, curl }: Props) {
  return (
    <div
      {...(kind === 'fault' && { role: 'alert' })}
      className={classes('rounded-lg border border-edge px-5 py-8', kind === 'none' && 'border-dashed')}
    >
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
