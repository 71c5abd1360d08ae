import type { Database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { linkOf, listNewest } from '@/db/queries/neighbours'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import { fieldOfLink, type Link, type Resource } from '@/lib/resources/define'
import { RESOURCES, resourceCalled } from '@/lib/resources/registry'
import { agentListSource } from './agent-fields'

/** The most neighbours of a kind in one answer; the others are only counted. */
export const MOST_NEIGHBOURS = 10

/** A record whose neighbors are looked up: its contractor and its public fields. */
export type Anchor = { contractorId: string; record: { id: string; [field: string]: unknown } }

/** A kind of neighbor of a resource's records. */
export type Neighbour = {
  /** A single one has a singular name, several have a plural one. */
  name: string
  resource: Resource
  /** True when many are listed, newest first. */
  isMany: boolean
  description?: string
  /** The scope a key needs; the caller checks it. */
  scope: Scope
  /** Returns its JSON text, or undefined if there is none. */
  find(db: Database, anchor: Anchor, actor: Pick<Actor, 'scopes'>): Promise<string | undefined>
}

/** A record's parent. */
function one(of: Resource, link: Link): Neighbour {
  const resource = resourceCalled(link.to)
  const field = fieldOfLink(of, link)
  const sourceFor = agentListSource(resource)
  const idOf = async (db: Database, { contractorId, record }: Anchor) => {
    if (field === undefined) return linkOf(db, of.source, link.column.name, { contractorId, id: record.id })
    const id = record[field]
    return typeof id === 'string' ? id : undefined
  }
  return {
    name: link.to,
    resource,
    isMany: false,
    ...(link.description === undefined ? {} : { description: link.description }),
    scope: resource.scope,
    find: async (db, anchor, actor) => {
      const id = await idOf(db, anchor)
      return id === undefined ? undefined : getItem(db, sourceFor(actor), { contractorId: anchor.contractorId, id })
    },
  }
}

/** The newest records of a resource that belong to a record. */
function many(resource: Resource, { column }: Link): Neighbour {
  const sourceFor = agentListSource(resource)
  return {
    name: resource.name,
    resource,
    isMany: true,
    scope: resource.scope,
    find: async (db, { contractorId, record: { id } }, actor) => {
      const query = { contractorId, id, of: column.name, by: resource.dated.name, limit: MOST_NEIGHBOURS }
      const { items, more } = await listNewest(db, sourceFor(actor), query)
      return `{"items":${items},"more":${more}}`
    },
  }
}

/** Returns a resource's kinds of neighbours: first its parents, then its children. */
export const neighboursOf = (resource: Resource): Neighbour[] => [
  ...resource.links.map((link) => one(resource, link)),
  ...RESOURCES.flatMap((other) =>
    other.links.filter(({ to, listed }) => listed && to === resource.singular).map((link) => many(other, link)),
  ),
]
