import { navigationFor, type Role } from '../ui/navigation'

/** Lists whose records have pages of their own below them. */
const LISTS = [/^(\/data\/[^/]+)\/[^/]+$/, /^(\/leads)\/(?!lab$)[^/]+$/, /^(\/logs)\/[^/]+$/]

/** Parts of an address that name a record, or a place in a list, of the contractor it was opened for. */
const isOfContractor = (name: string, value: string) =>
  /^(before|pageToken|delivery|record)$/.test(name) || /^[a-z]{2,4}_[\w-]{8,}$/.test(value)

/** Pages that only some roles have, by the first part of their path. */
const guarded = (role: Role | undefined) =>
  new Set(
    navigationFor(role, { portal: '', explorer: '', console: '' })
      .flatMap(({ pages }) => pages)
      .map(({ href }) => href),
  )

/**
 * Where someone stands after switching to another contractor: on the same page, with the filters that mean something there too. A record's
 * page becomes its list; a page that the role for the new contractor does not open becomes the start page.
 * @param from the path with its query
 */
export function afterSwitch(from: string, role: Role): string {
  const { pathname, searchParams } = new URL(from, 'http://here')
  const first = `/${pathname.split('/')[1]}`
  if (guarded('admin').has(first) && !guarded(role).has(first)) return '/'
  const list = LISTS.flatMap((pattern) => pattern.exec(pathname)?.[1] ?? [])[0]
  if (list) return list
  const query = new URLSearchParams([...searchParams].filter(([name, value]) => !isOfContractor(name, value)))
  return query.size === 0 ? pathname : `${pathname}?${query}`
}
