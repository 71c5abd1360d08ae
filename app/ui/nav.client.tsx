'use client'

import { usePathname } from 'next/navigation'
import { classes } from './classes'
import type { Group } from './navigation'

/** Whether a page is the current one or a parent of it. */
function isUnder(path: string, href: string): boolean {
  const own = href.replace(/^https?:\/\/[^/]+/, '')
  return path === own || path.startsWith(`${own}/`)
}

/** The portal's links, with the current page marked. `asBar` is a visitor's short row in the header, from medium width up. */
export function Nav({ groups, asBar }: { groups: Group[]; asBar: boolean }) {
  const path = usePathname()
  return groups.map(({ name, pages }) => (
    <div key={name} className={asBar ? 'md:contents' : 'mb-5'}>
      <p className={classes('px-3 pb-1 text-sm text-quiet', asBar && 'md:hidden')}>{name}</p>
      <ul className={asBar ? 'md:flex md:gap-1' : undefined}>
        {pages.map(({ href, name: page }) => (
          <li key={href}>
            <a
              href={href}
              {...(isUnder(path, href) && { 'aria-current': 'page' as const })}
              className="block rounded-md px-3 py-1.5 text-quiet no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {page}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ))
}
