import type { Database } from '@/db/client'
import { idsByBeginning, idsByNumber } from '@/db/queries/by-number'
import { findAllByWords, findByBeginning, projectOfJob } from '@/db/queries/find'
import type { Filter } from '@/db/queries/list-types'
import { idsNamed } from '@/db/queries/named'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { grouped } from '@/lib/core/text'
import { readWanted } from '@/lib/knowledge/find/wanted'
import { streetSpellings } from '@/lib/knowledge/permits/street'
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

/** The most records that a name stands for: as many as are counted and summed. */
const MOST = 10_000
/** The most customers with the same email address or end of a phone number. */
const MOST_ALIKE = 100

/** Returns the ways to write a word of a name: one kitchen and several, a street by its abbreviations. */
const spellingsOf = (word: string): string[] => [
  ...new Set([...streetSpellings(word), word.replace(/(?<=.{2})s$/, ''), word.endsWith('s') ? word : `${word}s`]),
]

const tooMany = (what: string) => {
  const message = `more than ${grouped(MOST)} ${what} have these words; add another word of the name, or days`
  return new ServiceError('bad_request', `query: ${message}`, { fields: [{ field: 'query', message }] })
}

/** Ids that a text may mean. */
type Meant = { projects: string[]; customers: string[] }

/**
 * Returns the projects and customers that have all words of a text in their name or street, or whose phone or email it is, and the leads of
 * whoever has that name. The last word may be just a beginning when `open`.
 */
async function meantBy(db: Database, { contractorId, scopes }: Actor, text: string, open: boolean): Promise<Meant> {
  const { words, email, phone } = readWanted(text)
  const groups = words.map(spellingsOf)
  const mayReadCustomers = scopes.has('read:customers')
  const found = (kind: 'customer' | 'project' | 'lead', isAllowed: boolean) =>
    isAllowed && groups.length > 0 ? findAllByWords(db, kind, contractorId, { words: groups, open }, MOST + 1) : []
  const reached = (kind: 'email' | 'phone', beginning: string | undefined) =>
    mayReadCustomers && beginning ? findByBeginning(db, kind, contractorId, beginning, MOST_ALIKE) : []
  const [named, written, customers, ...others] = await Promise.all([
    found('project', scopes.has('read:projects')),
    found('lead', scopes.has('read:projects') && mayReadCustomers),
    found('customer', mayReadCustomers),
    reached('email', email),
    reached('phone', phone),
  ])
  const projects = [...new Set([...named, ...written])]
  if (projects.length > MOST) throw tooMany('projects')
  if (customers.length > MOST) throw tooMany('customers')
  return { projects, customers: [...new Set([...customers, ...others.flat()])] }
}

/** Returns the ids of a resource's own records that a text is the name or number of. */
function ownOf({ name }: Resource, { projects, customers }: Meant, numbered: string[]): string[] {
  if (name === 'projects') return [...projects, ...numbered]
  return name === 'customers' ? customers : numbered
}

/** Returns the ids of a resource's records whose number begins with a text, where it has numbers. */
const beginningWith = (db: Database, { output, source }: Resource, contractorId: string, text: string) =>
  'number' in output.shape ? idsByBeginning(db, source, contractorId, text, MOST) : []

/**
 * Returns the filter of a list for a name or a number: records that have it, and those of the projects and customers that have it. What somebody
 * is still typing is `open`: its last word, and a number, may be beginnings.
 * @throws ServiceError `bad_request` when they are too many to be summed
 */
export async function filterNamed(
  db: Database,
  resource: Resource,
  actor: Actor,
  { text, filters, open = false }: { text: string; filters: Filter[]; open?: boolean },
): Promise<Filter> {
  const hasDigits = /\d/.test(text)
  const [meant, numbered, begun] = await Promise.all([
    meantBy(db, actor, text, open),
    hasDigits ? findByNumber(db, actor, text) : [],
    hasDigits && open ? beginningWith(db, resource, actor.contractorId, text) : [],
  ])
  const idsOf = (kind: string) => numbered.flatMap(({ id, resource: { name } }) => (name === kind ? [id] : []))
  const ids = await idsNamed(db, resource.source, {
    contractorId: actor.contractorId,
    filters,
    own: ownOf(resource, meant, [...idsOf(resource.name), ...begun]),
    of: Object.fromEntries(
      resource.links.flatMap(({ to, column }) =>
        to === 'project'
          ? [[column.name, [...meant.projects, ...idsOf('projects')]]]
          : to === 'customer'
            ? [[column.name, meant.customers]]
            : [],
      ),
    ),
    most: MOST + 1,
  })
  if (ids.length > MOST) throw tooMany(resource.name)
  return { column: 'id', operator: 'in', value: ids.join(',') }
}
