/** The keys as people read them, in the order of the list of keys. */
export const SHORTCUTS: readonly { keys: string; does: string }[] = [
  { keys: 'Ctrl K', does: 'Search everything: records, pages, actions (⌘ K on a Mac)' },
  { keys: '/', does: 'Go to the search box of the page; without one, search everything' },
  { keys: 'J K', does: 'Go to the next or the previous row of a list; Enter opens it' },
  { keys: '?', does: 'Show these keys' },
  { keys: 'Esc', does: 'Close; asks first when something was typed' },
]

/** What a key does on every page. */
export type Shortcut = 'palette' | 'search' | 'keys' | 'next' | 'previous'

const LETTERS: Record<string, Shortcut> = { '/': 'search', '?': 'keys', j: 'next', k: 'previous' }

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * Returns what a pressed key does. Keys without Ctrl or Cmd do nothing while somebody types.
 * @param isTyping whether the focus is in a field, or a dialog is open
 */
export function shortcutOf({ key, ctrlKey, metaKey, altKey }: Pressed, isTyping: boolean): Shortcut | undefined {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) return 'palette'
  return isTyping || ctrlKey || metaKey || altKey ? undefined : LETTERS[key]
}

/** Returns the letter that a key types; undefined when it types none. */
export const letterOf = ({ key, ctrlKey, metaKey, altKey }: Pressed): string | undefined =>
  key.length > 1 || ctrlKey || metaKey || altKey ? undefined : key

/** Reports whether an element takes letters, or is in a dialog. */
export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable], [role=dialog]') !== null

/** Puts the focus on the link of the row after the one that has it, or before it; at first on the first row, or the last one. */
function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll('main tbody tr')].filter((row) => row.querySelector('a'))
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at < 0 && by < 0 ? rows.at(-1) : rows[Math.max(0, at + by)]
  next?.querySelector('a')?.focus()
}

/** Moves the focus where a key moves it: to another row, or to the page's own search box. Returns false where it does something else. */
export function movesFocus(shortcut: Shortcut): boolean {
  const box = document.querySelector<HTMLInputElement>('main input[type=search]')
  const isMove = shortcut === 'next' || shortcut === 'previous'
  if (isMove) focusRow(shortcut === 'next' ? 1 : -1)
  if (isMove || shortcut !== 'search' || !box) return isMove
  box.focus()
  box.select()
  return true
}
