import type { Database } from '@/db/client'
import { idsByNumber } from '@/db/queries/by-number'
import { projectOfJob } from '@/db/queries/find'
import type { Actor } from '@/lib/auth/actor'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'

/** A record by its id, and what it is. */
export type Named = { id: string; resource: Resource }

/** Words that people put before a number, and the kind of record that each is said of. */
const KINDS: Record<string, string> = {
  ...Object.fromEntries(RESOURCES.map(({ singular }) => [singular, singular])),
  job: 'project',
  lead: 'project',
  quote: 'estimate',
}

/** Removes what stands before a number: `no. 118`, `#118`. */
const withoutSign = (text: string) => text.replace(/^(?:no\.?\s+|number\s+)?#?\s*/i, '')

/** Returns the number that a text says, and of which kind where it says that: `Invoice no. 118`. */
function readNumber(text: string): { kind?: string | undefined; number: string } {
  const said = text.trim()
  const word = Object.keys(KINDS).find(
    (each) => said.toLowerCase().startsWith(each) && /\s/.test(said.charAt(each.length)),
  )
  if (word === undefined) return { number: withoutSign(said) }
  return { kind: KINDS[word], number: withoutSign(said.slice(word.length).trim()) }
}

/** The largest number of a job that the column holds. */
const LARGEST = 2_147_483_647

/** Returns the records an actor may read that have a number of the office's, such as `26-0107-1`, or a job's, such as `job 118`. */
export async function findByNumber(db: Database, { contractorId, scopes }: Actor, text: string): Promise<Named[]> {
  const { kind, number } = readNumber(text)
  const among = RESOURCES.filter(
    ({ scope, singular }) => scopes.has(scope) && (kind === undefined || kind === singular),
  )
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
