import { classes } from './classes'
import { Icon } from './glyph'
import { type Group, isUnder, type Place } from './navigation'

/** How many things wait on a page, and what they are for those who hear it: `{ count: 3, what: 'need fixing' }`. */
type Waiting = { count: number; what: string }

/** What waits, by the path of its page. */
export type WaitingByPath = Partial<Record<string, Waiting>>

type Props = {
  groups: Group[]
  /** The path of the page that is shown. */
  path: string
  /** True for a visitor’s short row in the header, from medium width up. */
  asBar: boolean
  waiting?: WaitingByPath
}

const ITEM =
  'relative flex min-h-8 items-center gap-2.5 rounded-md px-3 py-1.5 text-md text-quiet no-underline hover:bg-sunken hover:text-ink pointer-coarse:min-h-control'
/** The page that is shown: a ground of its own, and a bar at its start that is seen without the color. */
const SELECTED =
  'aria-[current=page]:bg-selected aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-1 aria-[current=page]:before:start-0 aria-[current=page]:before:w-[3px] aria-[current=page]:before:rounded-full aria-[current=page]:before:bg-focus'

/** The portal's links in their groups, with the current page marked. */
export function Nav({ groups, path, asBar, waiting = {} }: Props) {
  return groups.map(({ name, pages }) => (
    <div key={name} className={classes('min-w-0', asBar ? 'md:contents' : 'mb-4 last:mb-0')}>
      <p className={classes('px-3 pb-1 text-xs font-medium text-quiet', asBar && 'md:hidden')}>{name}</p>
      <ul className={asBar ? 'md:flex md:gap-1' : 'grid gap-px'}>
        {pages.map((page) => (
          <li key={page.path}>
            <Item page={page} isCurrent={isUnder(path, page)} waiting={waiting[page.path]} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

function Item({ page, isCurrent, waiting }: { page: Place; isCurrent: boolean; waiting: Waiting | undefined }) {
  return (
    <a href={page.href} {...(isCurrent && { 'aria-current': 'page' })} className={classes(ITEM, SELECTED)}>
      <Icon of={page.icon} size={16} />
      {page.name}
      {waiting && waiting.count > 0 && (
        <span className="ms-auto text-xs font-semibold text-ink tabular-nums">
          {waiting.count < 100 ? waiting.count : '99+'} <span className="sr-only">{waiting.what}</span>
        </span>
      )}
    </a>
  )
}
