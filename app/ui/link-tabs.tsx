import type { ReactNode } from 'react'
import { classes } from './classes'

type Tab = { name: string; href: string; isCurrent: boolean; beside?: ReactNode }

/** Views of one page as links, so that the address tells which one is open; they work without script. */
export const LinkTabs = ({ label, tabs }: { label: string; tabs: Tab[] }) => (
  <nav aria-label={label} className="mb-3 flex flex-wrap gap-x-4 border-b border-line">
    {tabs.map(({ name, href, isCurrent, beside }) => (
      <a
        key={name}
        href={href}
        {...(isCurrent && { 'aria-current': 'true' as const })}
        className={classes(
          '-mb-px border-b-2 px-0.5 py-2 text-md no-underline',
          isCurrent ? 'border-ink font-semibold text-ink' : 'border-transparent text-quiet hover:text-ink',
        )}
      >
        {name}
        {beside}
      </a>
    ))}
  </nav>
)
