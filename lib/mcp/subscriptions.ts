import { database } from '@/db/client'
import { presentRecords, presentText } from '@/db/queries/present'
import type { KeyActor } from '@/lib/auth/actor'
import { MissingScope, requireScopes } from '@/lib/auth/require'
import { RESOURCES } from '@/lib/resources/registry'
import { forbidden } from './call-tool'
import { UnknownResource } from './invalid-params'
import { recordsNamed } from './record-resources'
import { requireDocument } from './resources'

const PRESENT = { name: 'plumbline_present_records', text: presentText(RESOURCES) }

/** The maximum number of URIs that a session, or a request to listen, may subscribe to. */
export const MOST_URIS = 100

/**
 * Returns the subject of the changes feed that a URI stands for: a record, or all of a resource, because a list in a status changes with
 * any of them. Undefined for documents and views, which change with a deployment and never while a process runs.
 */
export function subjectOf(uri: string, { scopes }: Pick<KeyActor, 'scopes'>): string | undefined {
  const named = recordsNamed(uri)
  if (!named || !scopes.has(named.resource.scope)) return undefined
  return named.id === undefined ? named.resource.name : `${named.resource.name}/${named.id}`
}

/**
 * Checks that a key may be told of a URI: what it may read, and what is there.
 * @throws UnknownResource, RpcFault 403 without the scope
 */
export async function requireSubject(uri: string, actor: KeyActor): Promise<void> {
  const named = recordsNamed(uri)
  if (!named) return requireDocument(uri)
  try {
    requireScopes(actor, [named.resource.scope], 'operation')
  } catch (error) {
    throw error instanceof MissingScope ? forbidden(error) : error
  }
  if ((await thoseThere([uri], actor)).length === 0)
    throw new UnknownResource(
      uri,
      `There is no ${named.resource.singular} of this id. find_records finds the right one.`,
    )
}

/** Returns the URIs of records that a key may read and that exist, with one statement for all. */
export async function thoseThere(uris: readonly string[], actor: KeyActor): Promise<string[]> {
  const readable = uris.flatMap((uri) => {
    const named = recordsNamed(uri)
    return named && actor.scopes.has(named.resource.scope) ? [{ uri, resource: named.resource.name, id: named.id }] : []
  })
  const records = readable.flatMap(({ resource, id }) => (id === undefined ? [] : [{ resource, id }]))
  const present = new Set(
    records.length > 0 ? await presentRecords(await database(), PRESENT, actor.contractorId, records) : [],
  )
  return readable.filter(({ id }) => id === undefined || present.has(id)).map(({ uri }) => uri)
}
