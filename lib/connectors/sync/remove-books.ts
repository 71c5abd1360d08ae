import { type Link, someLinks } from '@/db/queries/connector-links'
import type { ResourceName } from '@/lib/core/resource-names'
import { Pace, stopwatch } from '@/lib/core/slices'
import { accountOf } from '@/lib/load/join/match'
import type { Written } from './place'
import { forget, removeInvoicesOf, removeOf, removeOwnProjects, removePayments } from './remove'

const AT_ONCE = 50

const referencesOf = (links: Link[]) => links.map(({ reference }) => reference)

/** Deletes records that nothing else belongs to, and forgets all of them. @returns how many stay */
async function removeUnowned(place: Written, resource: ResourceName, links: Link[]): Promise<number> {
  const stay = await removeOf(place, resource, referencesOf(links))
  await forget(place, links)
  return stay
}

/** The steps that delete the records of each resource, those first that belong to others. Each returns how many stay. */
const STEPS: [resource: ResourceName, remove: (place: Written, links: Link[]) => Promise<number>][] = [
  [
    'payments',
    async (place, links) => {
      await removePayments(place, links)
      return 0
    },
  ],
  [
    'invoices',
    async (place, links) => {
      await removeInvoicesOf(place, links)
      await removeOwnProjects(place, referencesOf(links))
      await forget(place, links)
      return 0
    },
  ],
  ['estimates', (place, links) => removeUnowned(place, 'estimates', links)],
  ['projects', (place, links) => removeUnowned(place, 'projects', links)],
  [
    'customers',
    async (place, links) => {
      // The project that holds a customer's unapplied payments is no object of the vendor.
      await removeOf(place, 'projects', referencesOf(links).map(accountOf))
      return await removeUnowned(place, 'customers', links)
    },
  ],
]

/**
 * Deletes what was read from a company's books, until all is gone or the time is over. A customer or project that something else belongs to
 * stays, as a record of the contractor's own. Doing it again goes on where it stopped.
 * @param end a moment of `performance.now()`
 * @returns whether nothing is left, and how many records stay
 */
export async function removeBooks(place: Written, end: number): Promise<{ isDone: boolean; kept: number }> {
  const pace = new Pace(place.db)
  let kept = 0
  for (const [resource, remove] of STEPS)
    for (;;) {
      const links = await someLinks(place.db.orm, place.books, resource, Math.min(AT_ONCE, pace.rows))
      if (links.length === 0) break
      if (performance.now() > end) return { isDone: false, kept }
      const held = stopwatch()
      kept += await remove(place, links)
      pace.took(links.length, held())
      await pace.between()
    }
  return { isDone: true, kept }
}
