/** The classes of a box of code: dark in both themes, scrolling by itself; add `SHORT` where it may be long. */
export const PRE =
  'overflow-auto rounded-lg bg-terminal px-4 py-3.5 font-mono text-sm/[1.6] text-on-terminal outline-offset-2'

/** Not higher than a good part of a window. */
export const SHORT = 'max-h-112'
