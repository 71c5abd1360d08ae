import * as z from 'zod'
import { database } from '@/db/client'
import { idsByBeginning } from '@/db/queries/by-number'
import { listNewest } from '@/db/queries/neighbours'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { storable } from '@/lib/core/text'
import { wordsIn } from '@/lib/knowledge/find/words'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { notThere } from '../absent'
import type { Context } from '../define'
import { findByNumber } from '../named'
import { recordsFor } from './find-records'

const { projects, customers } = resources

/** A record that a text may mean; `isCertain` where the text has no typing error. */
export type Meant = { id: string; kind: string; title: string; facts: string; isCertain: boolean }

/** The question what a text means: the argument it was given for, the kind of record it takes (any without one), and whether only a certain one will do. */
export type Meaning = { field: string; of?: Resource; certainly?: boolean }

/** The most records that are named where several may be meant, and the most customers whose projects are looked at. */
const MOST = 10
const MOST_CUSTOMERS = 5
const LOOKED_AT = 50

/** The least that a record matches: nearly every word exactly, or one word with a typing error. */
const CLEAR = 0.8
const MISTYPED = 0.55
/** The match of what is found by a number, an address of mail or an id, which forgives nothing. */
const BY_NUMBER = 0.98

const BY_PREFIX = new Map(RESOURCES.map((resource) => [resource.idPrefix, resource]))

/** Returns the kind of record that an id is of; undefined for what is no id of a record. */
export function resourceOfId(text: string): Resource | undefined {
  const [, prefix = ''] = /^([a-z]+)_[\w-]{1,80}$/.exec(text) ?? []
  return BY_PREFIX.get(prefix)
}

const plain = (text: string) => wordsIn(text).join(' ')

/** Reports whether every word of a text is the beginning of a word of a record. */
function hasAllWords(text: string, record: string): boolean {
  const words = wordsIn(record)
  return wordsIn(text).every((word) => words.some((each) => each.startsWith(word)))
}

/** Records that a text names by a name, a street, a phone number or a number; those of exactly this name or number alone, where there are any. */
async function named({ actor }: Context, text: string, { of }: Meaning): Promise<Meant[]> {
  const hits = (await recordsFor(actor, text, LOOKED_AT)).records.filter(
    ({ id }) => of === undefined || resourceOfId(id) === of,
  )
  const clear = hits.filter(({ fit }) => fit >= CLEAR)
  const likely = clear.length > 0 ? clear : hits.filter(({ fit }) => fit >= MISTYPED)
  const exact = likely.filter(({ fit, title }) => fit >= 1 || plain(title) === plain(text))
  return (exact.length > 0 ? exact : likely).map(({ id, type, title, facts: told, fit }) => {
    const facts = told.map(({ name, value }) => `${name} ${value}`).join(', ')
    return { id, kind: type, title, facts, isCertain: fit >= BY_NUMBER || hasAllWords(text, `${title} ${facts}`) }
  })
}

async function numbered({ actor }: Context, text: string, { of }: Meaning): Promise<Meant[]> {
  const found = await findByNumber(await database(), actor, text)
  return found
    .filter(({ resource }) => of === undefined || resource === of)
    .map(({ id, resource }) => ({ id, kind: resource.singular, title: text, facts: '', isCertain: true }))
}

const Projects = z.array(z.looseObject({ id: z.string(), name: z.string(), status: z.string() }))

/** The newest projects of the customers that a text names. */
async function projectsOfCustomers(ctx: Context, text: string, meaning: Meaning): Promise<Meant[]> {
  const { contractorId, scopes } = ctx.actor
  if (!scopes.has(projects.scope)) return []
  const whose = (await named(ctx, text, { ...meaning, of: customers })).slice(0, MOST_CUSTOMERS)
  const db = await database()
  const newest = await Promise.all(
    whose.map(({ id }) =>
      listNewest(db, projects.source, { contractorId, of: 'customer_id', id, by: projects.dated.name, limit: MOST }),
    ),
  )
  return newest.flatMap(({ items }, at) =>
    Projects.parse(JSON.parse(items)).map(({ id, name, status }) => ({
      id,
      kind: projects.singular,
      title: name,
      facts: status,
      isCertain: whose[at]?.isCertain ?? false,
    })),
  )
}

async function meantBy(ctx: Context, text: string, meaning: Meaning): Promise<Meant[]> {
  const byNumber = await numbered(ctx, text, meaning)
  if (byNumber.length > 0) return byNumber
  const byName = await named(ctx, text, meaning)
  if (byName.length > 0 || meaning.of !== projects) return byName
  return projectsOfCustomers(ctx, text, meaning)
}

/** A text of somebody's in quotes, which the request log leaves out. */
const quoted = (text: string): string => `“${cleanText(text.slice(0, 80)).replace(/[“”"]/g, '’')}”`

const shown = ({ id, kind, title, facts }: Meant): string =>
  `${id} (${[kind, quoted(title), ...(facts === '' ? [] : [quoted(facts)])].join(', ')})`

/**
 * Returns the one record that a person means by a number, a name, a street, a phone number or, for a project, its customer.
 * @throws ServiceError `not_found` for none, `bad_request` naming those that it could be
 */
export async function requireMeant(ctx: Context, text: string, meaning: Meaning): Promise<Meant> {
  const { field, of, certainly } = meaning
  const kind = of?.singular ?? 'record'
  const other = resourceOfId(text)
  if (of && other && other !== of) throw notThere(of, text, 'find_records')
  const [first, ...others] = await meantBy(ctx, storable(text), meaning)
  if (!first)
    throw new ServiceError(
      'not_found',
      `${field}: no ${kind} has this id, number or name. Call find_records with a name, a street or a part of the number.`,
    )
  if (others.length === 0 && (first.isCertain || !certainly)) return first
  const choices = [first, ...others].slice(0, MOST).map(shown).join('; ')
  const more = others.length >= MOST ? `; and ${others.length + 1 - MOST} more` : ''
  const message = `could be several ${of?.name ?? 'records'}; call again with one of these ids: ${choices}${more}`
  throw new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })
}

/** Returns ids of the records of a kind that a text begins to name, the likeliest first: by a name, a street, the beginning of a number or, for a project, its customer. */
export async function recordsBegun(ctx: Context, text: string, of: Resource, limit: number): Promise<string[]> {
  const { actor } = ctx
  if (!actor.scopes.has(of.scope)) return []
  const db = await database()
  const begun = storable(text)
  const [named, ...others] = await Promise.all([
    recordsFor(actor, begun, LOOKED_AT),
    idsByBeginning(db, of.source, actor.contractorId, begun, limit),
    of === projects ? projectsOfCustomers(ctx, begun, { field: '' }).then((found) => found.map(({ id }) => id)) : [],
  ])
  const ids = named.records.map(({ id }) => id).filter((id) => resourceOfId(id) === of)
  return [...new Set([...ids, ...others.flat()])].slice(0, limit)
}
