import { type Orm, withinContractor } from '@/db/client'
import {
  type FingerprintedPayment,
  findUsedReferences,
  fingerprinted,
  type Link,
  linkedReferences,
  linksOf,
  putLinks,
  renameReference,
} from '@/db/queries/connector-links'
import type { ResourceName } from '@/lib/core/resource-names'
import { resources } from '@/lib/resources/registry'
import type { Source } from '../connector'
import type { Place } from './place'

/** An object, or a part of one, that a record is wanted for: `candidate` is the reference that a file would give it. */
export type Wanted = Source & {
  part: string
  resource: ResourceName
  candidate: string
  owner?: string | undefined
  /** The payment as a file that was loaded before knows it, where files give no id. */
  known?: Omit<FingerprintedPayment, 'key'> | undefined
}

/** Returns what tells objects and their parts apart. */
export const keyOf = ({ entity, id, part }: Source & { part: string }): string => JSON.stringify([entity, id, part])

const MOST = 100
const cut = (text: string, mark = '') => text.slice(0, MOST - mark.length) + mark

/** The resources whose references are numbers that people change. */
const NUMBERED: readonly ResourceName[] = ['invoices', 'estimates']

/** The reference of an object whose number another one has. */
const marked = ({ candidate, entity, id }: Wanted) => cut(candidate, ` (${entity} ${id})`)

type Choosing = { wanted: Wanted[]; stored: Map<string, string>; chosen: Map<string, string>; taken: Set<string> }

/** A number that was changed there changes here too, unless something else has it. */
async function followNumbers(
  orm: Orm,
  { books: { contractorId } }: Place,
  { wanted, stored, chosen, taken }: Choosing,
): Promise<void> {
  const moved = wanted.filter((each) => {
    const before = stored.get(keyOf(each))
    return before !== undefined && before !== each.candidate && before !== marked(each) && !taken.has(each.candidate)
  })
  for (const each of moved) {
    const { resource, candidate: to } = each
    const from = stored.get(keyOf(each))
    const { table } = resources[resource].source
    if (from === undefined || taken.has(to) || (await findUsedReferences(orm, table, contractorId, [to])).size > 0)
      continue
    await renameReference(orm, contractorId, { table, resource, from, to })
    taken.add(to)
    chosen.set(keyOf(each), to)
  }
}

/**
 * Chooses which record each object is, once and for all, and stores that before anything is written. A new object is the record that a file
 * would have made of it, if no other object is that one; otherwise its own id is added. So whoever loaded the exports before gets no record
 * twice, and a customer who is renamed stays the same.
 * @returns the references by {@link keyOf}
 */
export async function chooseReferences(place: Place, wanted: Wanted[]): Promise<Map<string, string>> {
  const { db, books, generation } = place
  const [{ resource } = { resource: undefined }] = wanted
  if (resource === undefined) return new Map()
  return await withinContractor(db.orm, books.contractorId, async (orm) => {
    const stored = new Map(
      (await linksOf(orm, books, wanted)).map((link) => [keyOf({ ...link, id: link.externalId }), link.reference]),
    )
    const fresh = wanted.filter((each) => !stored.has(keyOf(each)))
    const known = await fingerprinted(
      orm,
      books.contractorId,
      fresh.flatMap((each) => (each.known ? [{ key: keyOf(each), ...each.known }] : [])),
    )
    const candidates = [...new Set(wanted.map(({ candidate }) => candidate))]
    const taken = await linkedReferences(orm, books.contractorId, resource, candidates)
    const chosen = new Map<string, string>()
    for (const each of wanted) {
      const key = keyOf(each)
      const adopted = known.find((found) => found.key === key && !taken.has(found.reference))?.reference
      const own = taken.has(each.candidate) ? marked(each) : cut(each.candidate)
      const reference = stored.get(key) ?? adopted ?? own
      taken.add(reference)
      chosen.set(key, reference)
    }
    if (NUMBERED.includes(resource)) await followNumbers(orm, place, { wanted, stored, chosen, taken })
    const links = wanted.map(
      (each): Link => ({
        entity: each.entity,
        externalId: each.id,
        part: each.part,
        resource,
        reference: chosen.get(keyOf(each)) ?? each.candidate,
        owner: each.owner ?? null,
      }),
    )
    await putLinks(orm, books, generation, links)
    return chosen
  })
}
