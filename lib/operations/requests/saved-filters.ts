import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { deleteSavedFilter, listSavedFilters as listOf, saveFilter as save } from '@/db/queries/saved-filters'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { defineOperation } from '../define'

/** The most that a page can offer. */
const MOST = 50

const Saved = z.object({ id: z.string(), name: z.string(), query: z.string().describe('As in the URL of the log') })
const EXAMPLE = { id: 'sfl_01k9zq2v6n8m4t5c3b7x1w0jd2', name: 'Errors today', query: 'status=5xx&period=24h' }

/** Filters are a person's own. @throws ServiceError `forbidden` for the operator, who has no page to save them for */
function ownerOf(actor: Actor): { contractorId: string; personId: string } {
  if (actor.kind === 'person') return { contractorId: actor.contractorId, personId: actor.personId }
  throw new ServiceError('forbidden', 'Filters are saved by a person who is signed in to the portal.')
}

async function within<T>(
  actor: Actor,
  run: (orm: Parameters<typeof listOf>[0], owner: ReturnType<typeof ownerOf>) => Promise<T>,
): Promise<T> {
  const owner = ownerOf(actor)
  return await withinContractor((await database()).orm, owner.contractorId, (orm) => run(orm, owner))
}

/** Lists what a person has saved for the contractor they look at. */
export const listSavedFilters = defineOperation({
  name: 'list_saved_filters',
  title: 'Saved filters',
  description: 'The filters of the request log that the signed-in person has saved for this contractor, by name.',
  access: 'developer',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({ items: z.array(Saved) }),
  example: { items: [EXAMPLE] },
  run: async ({ actor }) => ({ items: await within(actor, listOf) }),
})

/** Saves filters under a name; earlier ones of the same name are replaced. */
export const saveFilter = defineOperation({
  name: 'save_filter',
  title: 'Save filters',
  description: 'Saves filters of the request log under a name; earlier ones of this name are replaced.',
  access: 'developer',
  effect: 'write',
  input: z
    .object({
      name: z
        .string()
        .trim()
        .min(1, 'is required')
        .max(60)
        .refine((name) => !/\p{Cc}/u.test(name), 'must be one line of text'),
      query: z.string().min(1, 'has no filters to save; set one first').max(1_000),
    })
    .strict(),
  output: Saved,
  example: EXAMPLE,
  run: async ({ actor }, { name, query }) => {
    const id = newId('savedFilter')
    await within(actor, async (orm, owner) => {
      const known = await listOf(orm, owner)
      if (known.length >= MOST && !known.some((filter) => filter.name === name))
        throw new ServiceError('bad_request', `You have saved ${MOST} filters. Delete one first.`)
      await save(orm, owner, { id, name, query })
    })
    return { id, name, query }
  },
})

/** Deletes filters a person has saved. */
export const deleteFilter = defineOperation({
  name: 'delete_filter',
  title: 'Delete saved filters',
  description: 'Deletes filters that the signed-in person has saved.',
  access: 'developer',
  effect: 'write',
  input: z.object({ id: z.string().max(50) }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: EXAMPLE.id },
  run: async ({ actor }, { id }) => {
    if (await within(actor, (orm, owner) => deleteSavedFilter(orm, owner, id))) return { id }
    throw new ServiceError('not_found', 'You have no saved filters with this id.')
  },
})
