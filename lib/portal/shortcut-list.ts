/** The keys as people read them, in the order of the list of keys. */
export const SHORTCUTS: readonly { keys: string; does: string }[] = [
  { keys: 'Ctrl K', does: 'Search everything: records, pages, actions (⌘ K on a Mac)' },
  { keys: '/', does: 'Go to the search box of the page; without one, search everything' },
  { keys: 'J K', does: 'Go to the next or the previous row of a list; Enter opens it' },
  { keys: '?', does: 'Show these keys' },
  { keys: 'Esc', does: 'Close; asks first when something was typed' },
]
