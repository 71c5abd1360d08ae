import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { isUnder, navigationFor, type Role } from '../ui/navigation'

/** Paths of records below their lists. */
const LISTS = [/^(\/data\/[^/]+)\/[^/]+$/, /^(\/leads)\/(?!lab$)[^/]+$/, /^(\/logs)\/[^/]+$/]

/** Returns the list that a record's page belongs to; undefined for any other page. */
function listOf(pathname: string): string | undefined {
  const [, name = '', id, ...more] = pathname.split('/')
  const isRecord = id !== undefined && more.length === 0 && RESOURCE_NAMES.some((each) => each === name)
  return isRecord ? `/${name}` : LISTS.flatMap((pattern) => pattern.exec(pathname)?.[1] ?? [])[0]
}

/** Reports whether a query parameter refers to a record or list position of the previous contractor. */
const isOfContractor = (name: string, value: string) =>
  /^(before|after|pageToken|delivery|record)$/.test(name) || /^[a-z]{2,4}_[\w-]{8,}$/.test(value)

/** Reports whether a path is in the navigation of a role, or of a visitor, or below one of its pages. */
const isOpenTo = (role: Role | undefined, pathname: string): boolean =>
  navigationFor(role, { portal: '', explorer: '', console: '', connects: true })
    .flatMap(({ pages }) => pages)
    .some((page) => isUnder(pathname, page))

/**
 * Returns the page to show after switching to another contractor: the same page, without filters that only fit the previous contractor.
 * A record's page becomes its list; a page that the new role may not open becomes the start page.
 * @param from the path with its query
 */
export function afterSwitch(from: string, role: Role): string {
  const { pathname, searchParams } = new URL(from, 'http://here')
  const isOpen = isOpenTo(undefined, pathname) || isOpenTo(role, pathname)
  if (!isOpen && isOpenTo('admin', pathname)) return '/'
  const list = listOf(pathname)
  if (list) return list
  const query = new URLSearchParams([...searchParams].filter(([name, value]) => !isOfContractor(name, value)))
  return query.size === 0 ? pathname : `${pathname}?${query}`
}
