import { Menu } from 'lucide'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { SERVICE } from '@/lib/core/service'
import { COMMON_COMMANDS, type Command, FIND_PATH } from '@/lib/portal/palette'
import { THEME_COOKIE, themeOf } from '@/lib/portal/theme'
import { links } from '../links'
import { LinkButton } from './button'
import { classes } from './classes'
import { Foot } from './foot'
import { Icon } from './glyph'
import { Nav, type WaitingByPath } from './nav'
import { type Destination, navigationFor, type Role } from './navigation'
import { CommandPalette } from './palette.client'
import { actionsFor, pagesBelow } from './palette-pages'
import { Prefetch } from './prefetch.client'
import { ThemeSwitch } from './theme.client'
import { Toasts } from './toasts.client'

/** The name with its logo, a plumb bob on its line; links to the home page. With `isShort`, narrow windows show only the logo. */
function Mark({ home, isShort }: { home: string; isShort: boolean }) {
  return (
    <a className="inline-flex items-center gap-2.5 font-semibold tracking-tight text-ink no-underline" href={home}>
      {/* biome-ignore lint/performance/noImgElement: an icon of 300 bytes gains nothing from the image optimizer. */}
      <img src="/icon.svg" width={26} height={26} alt="" />
      <span className={isShort ? 'sr-only sm:not-sr-only' : undefined}>{SERVICE.name}</span>
    </a>
  )
}

/** The facts that the frame needs about the signed-in user. */
export type Viewer = {
  role: Role
  /** The current contractor, and a way to switch. */
  contractor: ReactNode
  /** The account menu. */
  commands: Command[]
  account: ReactNode
  /** What waits on pages, shown beside their names. */
  waiting: WaitingByPath
}

/** Classes that put the navigation beside the page on large windows; on smaller ones it opens as a list. */
const SIDE =
  'open:grid grid-cols-2 gap-x-4 sm:grid-cols-4 lg:sticky lg:top-0 lg:m-0 lg:block lg:max-h-svh lg:w-auto lg:self-start lg:rounded-none lg:border-0 lg:bg-transparent lg:p-0 lg:py-6 lg:shadow-none lg:inset-auto'
const BAR = 'md:static md:my-0 md:ms-4 md:me-0 md:block md:w-auto md:border-0 md:bg-transparent md:p-0 md:shadow-none'
const DROPPED =
  'fixed inset-x-4 top-14 bottom-auto m-0 max-h-[calc(100svh-4.5rem)] w-auto overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised p-3 text-ink shadow-xl'

/** A page as the palette lists it; its drawing stays here. */
const asDestination = ({ href, name, about, words }: Destination): Destination => ({
  href,
  name,
  about,
  ...(words && { words }),
})

type ShellProps = {
  viewer?: Viewer
  /** The path of the page. */
  path: string
  /** What stands above a page on paper: whose it is, and the day. */
  printed: { name: string; day: string }
  children: ReactNode
}

/**
 * The frame of every page: logo, navigation, theme, account; the page itself is `main`. Without a viewer it shows the developer
 * pages and a sign-in link. Without JavaScript, everything but the theme switch and the command palette works.
 */
export async function Shell({ viewer, path, printed, children }: ShellProps) {
  const places = links()
  const groups = navigationFor(viewer?.role, places)
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value)
  const navigation = (
    <nav
      id="pages"
      popover="auto"
      aria-label="Portal"
      className={classes('print:hidden', DROPPED, viewer ? SIDE : BAR)}
    >
      <Nav groups={groups} path={path} asBar={!viewer} {...(viewer?.waiting && { waiting: viewer.waiting })} />
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
      <p className="hidden justify-between border-b border-line pb-2 text-sm text-quiet print:flex">
        <span>{printed.name}</span>
        <span>{printed.day}</span>
      </p>
      <header
        className={classes(
          'flex min-h-16 items-center gap-x-3 gap-y-1 border-b border-line py-2 print:hidden',
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
            pages={[...groups.flatMap(({ pages }) => pages.map(asDestination)), ...pagesBelow(viewer?.role, places)]}
            actions={actionsFor(viewer?.role, places)}
            find={places.portal + FIND_PATH}
            commands={viewer?.commands ?? COMMON_COMMANDS}
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
            <Icon of={Menu} />
          </button>
        </div>
      </header>
      <div className={classes('flex-1', viewer ? 'lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-8' : 'py-8')}>
        {viewer && navigation}
        <main id="content" tabIndex={-1} className={classes('min-w-0 outline-none', viewer && 'py-6')}>
          {children}
        </main>
      </div>
      <Foot portal={places.portal} path={path} />
      <Toasts />
      <Prefetch />
    </div>
  )
}
