import { chooseTheme, THEMES, type Theme } from './theme'

/** Something the palette does rather than opens. */
export type Command = { name: string; about: string } & (
  | { act: 'switch'; contractorId: string }
  | { act: 'theme'; theme: Theme }
  | { act: 'sign-out' }
)

const THEME_NAMES: Record<Theme, string> = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' }

/** What everybody can do, signed in or not. */
export const THEME_COMMANDS: Command[] = THEMES.map((theme) => ({
  act: 'theme',
  theme,
  name: THEME_NAMES[theme],
  about: theme === 'system' ? 'Colors as the device has them' : `Use ${theme} colors`,
}))

const EVENT = 'plumbline:command'

/** Does what was chosen: the theme at once, the rest by whoever hears of it. */
export function runCommand(command: Command): void {
  if (command.act === 'theme') chooseTheme(command.theme)
  else window.dispatchEvent(new CustomEvent<Command>(EVENT, { detail: command }))
}

/** Calls `hear` for every command that needs the server until the returned function is called. */
export function onCommand(hear: (command: Command) => void): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && hear(event.detail)
  window.addEventListener(EVENT, listen)
  return () => window.removeEventListener(EVENT, listen)
}
