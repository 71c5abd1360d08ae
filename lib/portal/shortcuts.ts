/** What a key does on every page. */
export type Shortcut = 'palette' | 'search' | 'keys'

/** The keys as people read them, in the order of the list of keys. */
export const SHORTCUTS: readonly { keys: string; does: string }[] = [
  { keys: 'Ctrl K', does: 'Search everything: records, pages, actions (⌘ K on a Mac)' },
  { keys: '/', does: 'Go to the search box of the page; without one, search everything' },
  { keys: '?', does: 'Show these keys' },
  { keys: 'Esc', does: 'Close; asks first when something was typed' },
]

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * Returns what a pressed key does. Keys without Ctrl or Cmd do nothing while somebody types.
 * @param isTyping whether the focus is in a field, or a dialog is open
 */
export function shortcutOf({ key, ctrlKey, metaKey, altKey }: Pressed, isTyping: boolean): Shortcut | undefined {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) return 'palette'
  if (isTyping || ctrlKey || metaKey || altKey) return undefined
  if (key === '/') return 'search'
  return key === '?' ? 'keys' : undefined
}

/** Reports whether an element takes letters, or is in a dialog. */
export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable], [role=dialog]') !== null

/** The page's own search box, if it has one. */
export const searchBox = (): HTMLInputElement | null => document.querySelector('main input[type=search]')
