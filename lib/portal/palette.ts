import { chooseTheme, THEMES, type Theme } from './theme'

/** An action in the palette, as opposed to a page. */
export type Command = { name: string; about: string } & (
  | { act: 'switch'; contractorId: string }
  | { act: 'theme'; theme: Theme }
  | { act: 'sign-out' }
  | { act: 'keys' }
)

const THEME_NAMES: Record<Theme, string> = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' }

/** Commands for everyone, signed in or not. */
export const COMMON_COMMANDS: Command[] = [
  ...THEMES.map(
    (theme): Command => ({
      act: 'theme',
      theme,
      name: THEME_NAMES[theme],
      about: theme === 'system' ? 'Use the device’s colors' : `Use ${theme} colors`,
    }),
  ),
  { act: 'keys', name: 'Keyboard shortcuts', about: 'The keys that every page has' },
]

const EVENT = 'plumbline:command'

/** Runs a command: sets a theme directly; other commands are sent to their listeners. */
export function runCommand(command: Command): void {
  if (command.act === 'theme') chooseTheme(command.theme)
  else window.dispatchEvent(new CustomEvent<Command>(EVENT, { detail: command }))
}

/** Calls `listener` for every command that somebody else runs, until the returned function is called. */
export function onCommand(listener: (command: Command) => unknown): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && listener(event.detail)
  window.addEventListener(EVENT, listen)
  return () => window.removeEventListener(EVENT, listen)
}

/** A search result in the palette: its link, its name, and what distinguishes it. */
export type Found = { href: string; name: string; about: string; kind: string }

export const FIND_PATH = '/find'

/** The minimum length, as shorter texts match too much. */
export const SHORTEST_SEARCH = 2

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads a response of {@link FIND_PATH}; unknown entries are left out. */
export function readFound(body: unknown): Found[] {
  const items: unknown = Object(body).items
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const { href, name, about, kind } = Object(item)
    return isText(href) && isText(name) && isText(about) && isText(kind) ? [{ href, name, about, kind }] : []
  })
}

/** What can be found: by its name, by what is said of it, and by other words for it. */
type Named = { name: string; about: string; words?: string }

/** Ranks how well a page matches the typed text: at the start of its name, of a word, or anywhere; undefined when it does not match. */
function rank({ name, about, words = '' }: Named, wanted: string): number | undefined {
  const [title, text] = [name.toLowerCase(), `${name} ${about} ${words}`.toLowerCase()]
  if (title.startsWith(wanted)) return 0
  if (text.split(/\W+/).some((word) => word.startsWith(wanted))) return 1
  return wanted.split(/\s+/).every((word) => text.includes(word)) ? 2 : undefined
}

/** Returns the pages that match the typed text, the best first; all pages, in their order, for an empty text. */
export function matching<Page extends Named>(pages: readonly Page[], text: string): Page[] {
  const wanted = text.trim().toLowerCase()
  if (!wanted) return [...pages]
  return pages
    .flatMap((page) => {
      const fit = rank(page, wanted)
      return fit === undefined ? [] : [{ page, fit }]
    })
    .sort((a, b) => a.fit - b.fit)
    .map(({ page }) => page)
}

/** Reports whether a text is the beginning of a page's name or whole words of it. Whoever types that means the page, whatever records are like it. */
export function isNamed({ name }: Pick<Named, 'name'>, text: string): boolean {
  const [title, wanted] = [name.toLowerCase(), text.trim().toLowerCase()]
  return title.startsWith(wanted) || ` ${title} `.includes(` ${wanted} `)
}
