import { z } from 'zod'
import type { Database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { listNewest } from '@/db/queries/neighbours'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { resources } from '@/lib/resources/registry'
import { findByNumber } from '../by-number'
import type { Context } from '../define'
import { execute } from '../execute'
import { findRecords } from '../search/find-records'

const { projects } = resources

/** The most projects that are named where several may be meant. */
const MOST = 10
/** The most customers whose projects are looked at where a name is nobody’s project. */
const MOST_CUSTOMERS = 5

/** The error where no project is meant. */
export const noProject = (): ServiceError =>
  new ServiceError(
    'not_found',
    'No project has this id, number or name. Call find_records with a street, a customer or a part of the name.',
  )

/** Projects that a text may mean: by id, by number, by name. */
async function projectsMeant(db: Database, { actor, now }: Context, text: string): Promise<string[]> {
  if (text.startsWith(`${projects.idPrefix}_`)) return [text]
  const numbered = (await findByNumber(db, actor, text)).filter(({ resource }) => resource.name === 'projects')
  if (numbered.length > 0) return numbered.map(({ id }) => id)
  const { hits } = await execute(findRecords, { actor, now }, { query: text, types: ['project', 'lead'], limit: MOST })
  const named = hits.filter(({ title }) => title.toLowerCase() === text.toLowerCase())
  if (hits.length > 0) return (named.length > 0 ? named : hits).map(({ id }) => id)
  return projectsOfCustomers(db, { actor, now }, text)
}

/** The newest projects of customers who may be meant. */
async function projectsOfCustomers(db: Database, { actor, now }: Context, text: string): Promise<string[]> {
  const { contractorId } = actor
  const { hits } = await execute(
    findRecords,
    { actor, now },
    { query: text, types: ['customer'], limit: MOST_CUSTOMERS },
  )
  const newest = await Promise.all(
    hits.map(({ id }) =>
      listNewest(db, projects.source, { contractorId, of: 'customer_id', id, by: projects.dated.name, limit: MOST }),
    ),
  )
  return newest
    .flatMap(({ items }) =>
      z
        .array(projects.output)
        .parse(JSON.parse(items))
        .map(({ id }) => id),
    )
    .slice(0, MOST)
}

/**
 * Returns the id of the one project that a person means by an id, a number or a name.
 * @throws ServiceError `not_found` for none, `bad_request` naming those that it could be
 */
export async function requireProject(db: Database, ctx: Context, text: string): Promise<string> {
  const [first, ...others] = await projectsMeant(db, ctx, text)
  if (!first) throw noProject()
  if (others.length === 0) return first
  const shown = await Promise.all([first, ...others].map((id) => named(db, ctx.actor, id)))
  const message = `could be several projects; call again with one of these ids: ${shown.join('; ')}`
  throw new ServiceError('bad_request', `project: ${message}`, { fields: [{ field: 'project', message }] })
}

const Named = z.looseObject({ name: z.string(), status: z.string() })
async function named(db: Database, { contractorId }: Actor, id: string): Promise<string> {
  const item = await getItem(db, projects.source, { contractorId, id })
  const { name, status } = Named.parse(JSON.parse(item ?? '{"name":"","status":""}'))
  return `${id} (${name.slice(0, 80)}, ${status})`
}
