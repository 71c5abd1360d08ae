/** Class names joined, the absent ones left out. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
