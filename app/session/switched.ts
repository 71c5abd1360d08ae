import { navigationFor, type Role } from '../ui/navigation'

/** Paths of records below their lists. */
const LISTS = [/^(\/data\/[^/]+)\/[^/]+$/, /^(\/leads)\/(?!lab$)[^/]+$/, /^(\/logs)\/[^/]+$/]

/** Whether a query parameter refers to a record or list position of the previous contractor. */
const isOfContractor = (name: string, value: string) =>
  /^(before|pageToken|delivery|record)$/.test(name) || /^[a-z]{2,4}_[\w-]{8,}$/.test(value)

/** Returns the pages that a role may not open, by the first part of their path. */
const guarded = (role: Role | undefined) =>
  new Set(
    navigationFor(role, { portal: '', explorer: '', console: '', connects: true })
      .flatMap(({ pages }) => pages)
      .map(({ href }) => href),
  )

/**
 * Returns the page to show after switching to another contractor: the same page, without filters that only fit the previous contractor.
 * A record's page becomes its list; a page that the new role may not open becomes the start page.
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
