import { elementsOf } from '@/lib/core/header'

/** Reports whether the client has this version. If-None-Match compares weakly (RFC 9110, 13.1.2), so a proxy's `W/` makes no difference. */
export function isHeld(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const bare = (tag: string) => tag.replace(/^W\//, '')
  return elementsOf(ifNoneMatch).some((tag) => tag === '*' || bare(tag) === bare(etag))
}
