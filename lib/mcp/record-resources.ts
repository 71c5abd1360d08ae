import type { Actor, KeyActor } from '@/lib/auth/actor'
import { MissingScope } from '@/lib/auth/require'
import { ServiceError } from '@/lib/core/errors'
import { identifierOf } from '@/lib/core/resource-names'
import { operations } from '@/lib/operations/registry'
import { type Resource, statusesOf } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'
import { answerOf, forbidden, requireTool } from './call-tool'
import { UnknownResource } from './invalid-params'

/** A result of `resources/read` (MCP 2025-11-25, schema `TextResourceContents`). */
export type ResourceContents = { uri: string; mimeType: string; text: string; _meta?: Record<string, unknown> }

const MIME_TYPE = 'application/json'
const SCHEME = 'plumbline://'

/** A kind of records as URIs: what `resources/templates/list` says of it, and the tool that reads it. */
export type RecordTemplate = {
  uriTemplate: string
  name: string
  title: string
  description: string
  mimeType: string
  resource: Resource
}

const templates: readonly RecordTemplate[] = RESOURCES.flatMap((resource) => {
  const { name, singular } = resource
  const one = {
    uriTemplate: `${SCHEME}${name}/{id}`,
    name: singular,
    title: `One ${singular}`,
    description: `One ${singular} by its id, with what belongs to it: the answer of get_record.`,
    mimeType: MIME_TYPE,
    resource,
  }
  const statuses = statusesOf(resource)
  if (statuses.length === 0) return [one]
  const listed = {
    uriTemplate: `${SCHEME}${name}{?status}`,
    name,
    title: `The ${name} in a status`,
    description: `The first ${name} in one status (${statuses.join(', ')}), or in any: the answer of list_${identifierOf(name)}.`,
    mimeType: MIME_TYPE,
    resource,
  }
  return [one, listed]
})

/** The templates of what an actor may read. */
export const templatesFor = ({ scopes }: Actor): RecordTemplate[] =>
  templates.filter(({ resource }) => scopes.has(resource.scope))

const URI = /^plumbline:\/\/([a-z]+)(?:\/([\w-]{1,100})|\?status=([a-z_]{1,40}))?$/

/** The records that a URI of a template names: one by its id, or those of a status, or of any. */
export type NamedRecords = { resource: Resource; id?: string; status?: string }

/** The records that a URI names; undefined when it is of no template. */
export function recordsNamed(uri: string): NamedRecords | undefined {
  const [, name = '', id, status] = URI.exec(uri) ?? []
  const resource = RESOURCES.find((each) => each.name === name)
  if (!resource) return undefined
  if (id !== undefined) return id.startsWith(`${resource.idPrefix}_`) ? { resource, id } : undefined
  const statuses = statusesOf(resource)
  if (statuses.length === 0 || (status !== undefined && !statuses.includes(status))) return undefined
  return status === undefined ? { resource } : { resource, status }
}

/** The call of a tool that reads records. */
function callOf({ resource, id, status }: NamedRecords): { tool: string; args: Record<string, unknown> } {
  if (id !== undefined) return { tool: operations.getRecord.name, args: { id } }
  return { tool: `list_${identifierOf(resource.name)}`, args: status === undefined ? {} : { status } }
}

/**
 * Reads records by a URI, with the tool that its template names: the same access, the same limit on length, and strangers' text
 * cleaned and marked.
 * @returns undefined when no template has this URI
 * @throws UnknownResource for an id that is not there, RpcFault 403 without the scope
 */
export async function readRecords(uri: string, actor: KeyActor): Promise<ResourceContents | undefined> {
  const named = recordsNamed(uri)
  if (!named) return undefined
  const call = callOf(named)
  try {
    const { content, _meta } = await answerOf(requireTool(call.tool), actor, call.args)
    return { uri, mimeType: MIME_TYPE, text: content[0]?.text ?? '', ...(_meta ? { _meta } : {}) }
  } catch (error) {
    if (error instanceof MissingScope) throw forbidden(error)
    if (error instanceof ServiceError && (error.code === 'not_found' || error.code === 'gone'))
      throw new UnknownResource(uri, error.message)
    throw error
  }
}
