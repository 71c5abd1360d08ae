/**
 * Validates the path to open after signing in. Only a path of this site is allowed, so that a link cannot send people to another
 * site.
 * @returns the path with its query, or the portal's start page
 */
export function pathHere(next: string | undefined): string {
  const start = '/'
  // Browsers treat a backslash as a slash and ignore control characters.
  if (!next || !/^\/(?![/\\])/.test(next) || /[\\\p{Cc}]/u.test(next)) return start
  const here = new URL('http://here')
  const url = new URL(next, here)
  // Dots are already resolved here: `/.//x` has become `//x`, which is another host.
  return url.origin === here.origin && !url.pathname.startsWith('//') ? url.pathname + url.search : start
}
