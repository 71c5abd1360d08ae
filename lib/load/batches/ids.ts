import type { Orm } from '@/db/client'
import type { ProjectRef } from '@/db/queries/load'
import { freeMilliseconds, type RecordKind } from '@/db/queries/load-ids'
import type { Row } from '../rows'

/** A row to write, its project, the prefix of its id, and its id if it exists. */
export type Placed = { row: Row; project: ProjectRef; prefix: string; createdAt: string; storedId: string | undefined }

/** A record that needs an id, made of this millisecond or the next free one. */
type Open = { place: Placed; ms: number }

/** Groups records that want the same id; a group asks for enough free ids from that one on. */
function groupsOf(open: Open[]): Map<string, { prefix: string; ms: number; count: number }> {
  const groups = new Map<string, { prefix: string; ms: number; count: number }>()
  for (const { place, ms } of open) {
    const { prefix } = place
    const group = groups.get(`${prefix}${ms}`)
    if (group) group.count++
    else groups.set(`${prefix}${ms}`, { prefix, ms, count: 1 })
  }
  return groups
}

/** The number of milliseconds searched at once; ten times as many on each retry. */
const FIRST_SPAN = 100
const LONGEST_SPAN = 1_000_000

/**
 * Gives every record its id: the stored one, or for a new record its project and the millisecond of its creation, or the next one
 * that no other record of the project has. The projects are locked, so a free id stays free.
 */
export async function chooseIds<P extends Placed>(
  orm: Orm,
  kind: RecordKind,
  placed: P[],
): Promise<(P & { id: string })[]> {
  const given = new Map<string, Placed>()
  let open = placed
    .filter(({ storedId }) => storedId === undefined)
    .map((place): Open => ({ place, ms: Date.parse(place.createdAt) }))
  for (let span = FIRST_SPAN; open.length > 0; span = Math.min(span * 10, LONGEST_SPAN)) {
    for (const wish of open) while (given.has(`${wish.place.prefix}${wish.ms}`)) wish.ms++
    const groups = groupsOf(open)
    const free = await freeMilliseconds(orm, kind, [...groups.values()], span)
    const lists = new Map([...groups.keys()].map((key, i) => [key, free[i] ?? []]))
    open = open.filter((wish) => {
      const { prefix } = wish.place
      const ms = lists.get(`${prefix}${wish.ms}`)?.shift()
      // Too few ids are free within the span, or an earlier record took this one: search again from there.
      wish.ms = ms ?? wish.ms + span
      if (ms === undefined || given.has(`${prefix}${ms}`)) return true
      given.set(`${prefix}${ms}`, wish.place)
      return false
    })
  }
  const ids = new Map([...given].map(([id, place]) => [place, id]))
  return placed.map((place) => ({ ...place, id: place.storedId ?? ids.get(place) ?? '' }))
}
