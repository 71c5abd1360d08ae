/** Reports whether a path leads to a folder below another one: no `..`, no absolute path, no control characters. */
export const isInside = (path: string): boolean =>
  !path.startsWith('/') &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.split('/').every((part) => part !== '..' && !part.startsWith('.'))
