import { and, asc, eq } from 'drizzle-orm'
import type { Orm } from '../client'
import { savedFilters } from '../schema'

export type SavedFilter = { id: string; name: string; query: string }

type Owner = { contractorId: string; personId: string }

const isOf = ({ contractorId, personId }: Owner) =>
  and(eq(savedFilters.contractorId, contractorId), eq(savedFilters.personId, personId))

/** Returns a person's saved filters for a contractor, sorted by name. */
export async function listSavedFilters(orm: Orm, owner: Owner): Promise<SavedFilter[]> {
  const { id, name, query } = savedFilters
  return await orm.select({ id, name, query }).from(savedFilters).where(isOf(owner)).orderBy(asc(name))
}

/** Saves a filter under a name and replaces the person's earlier one with that name. */
export async function saveFilter(orm: Orm, owner: Owner, filter: SavedFilter): Promise<void> {
  await orm
    .insert(savedFilters)
    .values({ ...owner, ...filter })
    .onConflictDoUpdate({
      target: [savedFilters.contractorId, savedFilters.personId, savedFilters.name],
      set: { query: filter.query },
    })
}

/** Deletes a person's filter. @returns false when there was none */
export async function deleteSavedFilter(orm: Orm, owner: Owner, id: string): Promise<boolean> {
  const gone = await orm
    .delete(savedFilters)
    .where(and(isOf(owner), eq(savedFilters.id, id)))
    .returning({ id: savedFilters.id })
  return gone.length > 0
}
