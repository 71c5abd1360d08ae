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
