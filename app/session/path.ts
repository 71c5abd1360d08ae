/**
 * Where a link may lead on to after signing in: a path of this site and nothing else, so that nobody can be sent elsewhere by it.
 * @returns the path with its query, or the first page of the portal
 */
export function pathHere(next: string | undefined): string {
  const start = '/data'
  // A backslash is a slash to a browser, and control characters are nothing to it.
  if (!next || !/^\/(?![/\\])/.test(next) || /[\\\p{Cc}]/u.test(next)) return start
  const here = new URL('http://here')
  const url = new URL(next, here)
  // Dots are resolved by now: `/.//x` has become `//x`, which is another host.
  return url.origin === here.origin && !url.pathname.startsWith('//') ? url.pathname + url.search : start
}
