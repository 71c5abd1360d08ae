import type { Database } from '@/db/client'
import { idsByNumber } from '@/db/queries/by-number'
import { projectOfJob } from '@/db/queries/find'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'

/** A record by its id, and what it is. */
export type Named = { id: string; resource: Resource }

/** Words that people put before a number, which say of which kind it is. */
const SAID = /^(?:(customer|project|job|lead|invoice|payment|estimate|quote)\s+)?(?:no\.?\s+|number\s+)?#?\s*(.+)$/i
const KINDS: Record<string, string> = { job: 'project', lead: 'project', quote: 'estimate' }

/** The largest number of a job that the column holds. */
const LARGEST = 2_147_483_647

/** Returns the records an actor may read that have a number of the office's, such as `26-0107-1`, or a job's, such as `job 118`. */
export async function findByNumber(db: Database, { contractorId, scopes }: Actor, text: string): Promise<Named[]> {
  const [, said = '', number = ''] = SAID.exec(text.trim()) ?? []
  const kind = KINDS[said.toLowerCase()] ?? said.toLowerCase()
  const among = RESOURCES.filter(({ scope, singular }) => scopes.has(scope) && (kind === '' || kind === singular))
  const spellings = [...new Set([number, number.toUpperCase()])]
  const found = await Promise.all(
    among.map(async (resource) => {
      const ids = await idsByNumber(db, resource.source, contractorId, spellings)
      const isJob = resource.madeByLeads && resource.singular === 'project' && /^\d{1,10}$/.test(number)
      const jobs = isJob && Number(number) <= LARGEST ? await projectOfJob(db.orm, contractorId, Number(number)) : []
      return [...new Set([...ids, ...jobs])].map((id): Named => ({ id, resource }))
    }),
  )
  return found.flat()
}

/** Returns the one record of a number. @throws ServiceError `not_found` when there is none, `bad_request` when there are several */
export async function requireByNumber(db: Database, actor: Actor, text: string): Promise<Named> {
  const [first, ...others] = await findByNumber(db, actor, text)
  if (!first)
    throw new ServiceError(
      'not_found',
      'No record has this id or number. Call find_records with a name, a street or a part of the number.',
    )
  if (others.length === 0) return first
  const all = [first, ...others].map(({ id, resource }) => `${id} (${resource.singular})`).join(', ')
  const message = `is the number of several records; give one of their ids: ${all}`
  throw new ServiceError('bad_request', `id: ${message}`, { fields: [{ field: 'id', message }] })
}
