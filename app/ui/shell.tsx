import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { type Command, THEME_COMMANDS } from '@/lib/portal/commands'
import { FIND_PATH } from '@/lib/portal/find'
import { THEME_COOKIE, themeOf } from '@/lib/portal/theme'
import { links } from '../links'
import { LinkButton } from './button'
import { classes } from './classes'
import { Foot } from './foot.client'
import { MenuIcon } from './icons'
import { Mark } from './mark'
import { Nav } from './nav.client'
import { navigationFor, pagesBelow, type Role } from './navigation'
import { CommandPalette } from './palette.client'
import { Prefetch } from './prefetch.client'
import { ThemeSwitch } from './theme.client'
import { Toasts } from './toasts.client'

/** What the frame needs to know about the signed-in user. */
export type Viewer = {
  role: Role
  /** The current contractor, and a way to switch. */
  contractor: ReactNode
  /** The account menu. */
  commands: Command[]
  account: ReactNode
}

/** On large windows the navigation is beside the page; on smaller ones it opens as a list. */
const SIDE =
  'lg:sticky lg:top-4 lg:m-0 lg:block lg:w-auto lg:self-start lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none lg:inset-auto'
const BAR = 'md:static md:my-0 md:ms-4 md:me-0 md:block md:w-auto md:border-0 md:bg-transparent md:p-0 md:shadow-none'
const DROPPED =
  'fixed inset-x-4 top-14 bottom-auto m-0 w-auto rounded-lg border border-line bg-raised p-3 text-ink shadow-xl'

/**
 * The frame of every page: logo, navigation, theme, account; the page itself is `main`. Without a viewer it shows the developer
 * pages and a sign-in link. Without JavaScript, everything but the theme switch and the command palette works.
 */
export async function Shell({ viewer, children }: { viewer?: Viewer; children: ReactNode }) {
  const places = links()
  const groups = navigationFor(viewer?.role, places)
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value)
  const navigation = (
    <nav id="pages" popover="auto" aria-label="Portal" className={classes(DROPPED, viewer ? SIDE : BAR)}>
      <Nav groups={groups} asBar={!viewer} />
    </nav>
  )
  return (
    // Signed-in users have wide tables, so the page uses the whole window; text has its own maximum width.
    <div className={classes('mx-auto flex min-h-svh flex-col px-4 sm:px-6', viewer ? 'max-w-[120rem]' : 'max-w-7xl')}>
      {/* The page is first painted when it has arrived completely, so that the layout does not shift (HTML, link type "expect"). */}
      <link rel="expect" href="#content" blocking="render" />
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header
        className={classes(
          'flex min-h-16 items-center gap-x-3 gap-y-1 border-b border-line py-2',
          viewer && 'flex-wrap',
        )}
      >
        <Mark home={`${places.portal}/`} isShort={viewer !== undefined} />
        {viewer && (
          <div className="order-last w-full min-w-0 md:order-none md:w-auto md:border-s md:border-line md:ps-3">
            {viewer.contractor}
          </div>
        )}
        {!viewer && navigation}
        <div className="ms-auto flex items-center gap-1">
          <CommandPalette
            pages={[...groups.flatMap(({ pages }) => pages), ...pagesBelow(viewer?.role, places)]}
            find={places.portal + FIND_PATH}
            commands={viewer?.commands ?? THEME_COMMANDS}
          />
          <ThemeSwitch theme={theme} />
          {viewer?.account ?? (
            <LinkButton size="small" href={`${places.portal}/sign-in`}>
              Sign in
            </LinkButton>
          )}
          <button
            type="button"
            popoverTarget="pages"
            aria-label="Pages"
            className={classes(
              'grid size-8 place-items-center rounded-md hover:bg-sunken',
              viewer ? 'lg:hidden' : 'md:hidden',
            )}
          >
            <MenuIcon />
          </button>
        </div>
      </header>
      <div className={classes('flex-1 py-8', viewer && 'lg:grid lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10')}>
        {viewer && navigation}
        <main id="content" tabIndex={-1} className="min-w-0 outline-none">
          {children}
        </main>
      </div>
      <Foot portal={places.portal} />
      <Toasts />
      <Prefetch />
    </div>
  )
}
