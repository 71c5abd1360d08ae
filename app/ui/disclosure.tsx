import type { ReactNode } from 'react'
import { classes } from './classes'

/** Content behind its title, for readers who want it: "For developers", "Technical details". Opens without script. */
export function Disclosure({
  title = 'For developers',
  className,
  children,
}: {
  title?: string
  className?: string
  children: ReactNode
}) {
  return (
    <details className={classes('rounded-lg border border-line print:hidden', className)}>
      <summary className="cursor-pointer px-4 py-3 font-medium select-none">{title}</summary>
      <div className="grid gap-4 border-t border-line p-4 *:min-w-0">{children}</div>
    </details>
  )
}
