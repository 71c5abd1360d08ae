/** Joins class names and skips missing ones. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

/** Classes of a code box: dark in both themes and scrolling. Add `SHORT` when the code may be long. */
export const PRE =
  'overflow-auto rounded-lg bg-terminal px-4 py-3.5 font-mono text-sm/[1.6] text-on-terminal outline-offset-2'

/** Limits the height to a good part of a window. */
export const SHORT = 'max-h-112'
