import { viewMetaOf } from './apps'
import type { Caller } from './caller'
import { isObject, type Json, type ObjectSchema, without } from './json-schema'
import { pageOf } from './pages'
import { safeName, type ToolNames } from './tool-names'
import { type Tool, type ToolHints, toolsFor } from './tools'

/** Keywords that say how far a value goes, and not what it is made of or means. */
const LIMITS = ['required', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern']

/** Keywords that say what a field means, which a list says once. */
const MEANING = ['description', 'enum']

/**
 * Returns a plain schema's names, types and what the fields mean, without its limits and without what `said` has of a field of the same name. A list
 * of tools has the answer of each, and the same fields stand in many; the catalog and the OpenAPI documents have the whole of each.
 */
function saidOnce(schema: ObjectSchema, said: Set<string>): ObjectSchema {
  const isNew = (field: string, keyword: string, value: Json): boolean => {
    const text = JSON.stringify([field, keyword, value])
    if (said.has(text)) return false
    said.add(text)
    return true
  }
  const shape = (value: Json, field: string): Json => {
    if (Array.isArray(value)) return value.map((each) => shape(each, field))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(without(value, ...LIMITS)).flatMap(([name, each]): [string, Json][] => {
        if (MEANING.includes(name)) return isNew(field, name, each) ? [[name, each]] : []
        if (name !== 'properties' || !isObject(each)) return [[name, shape(each, field)]]
        return [[name, Object.fromEntries(Object.entries(each).map(([key, one]) => [key, shape(one, key)]))]]
      }),
    )
  }
  const whole = shape(schema, '')
  return { ...(isObject(whole) ? whole : {}), type: 'object' }
}

/** A tool as a list shows it; of its answer what the list has not said before, and its view where the client renders one. */
export type Listed = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema'> & {
  annotations: Omit<ToolHints, 'idempotentHint'> & Partial<ToolHints>
  _meta?: ReturnType<typeof viewMetaOf>
}

/**
 * A tool's hints as a list gives them. Of a tool that only reads, `idempotentHint` is left out: the protocol gives it a meaning only for
 * tools that write (MCP 2025-11-25, schema `ToolAnnotations`), and a list pays for every word of each tool.
 */
function saidOf({ idempotentHint, ...hints }: ToolHints): Listed['annotations'] {
  return hints.readOnlyHint ? hints : { ...hints, idempotentHint }
}

/** A tool in a list, under a name its client takes. `said` is what the list says of answers before it. */
export const listedTool = (
  { name, title, description, inputSchema, outputSchema, annotations }: Tool,
  names: ToolNames,
  rendersApps = false,
  said = new Set<string>(),
): Listed => {
  const _meta = rendersApps ? viewMetaOf(name) : undefined
  return {
    ...namedFor(names, name, description),
    title,
    inputSchema,
    outputSchema: saidOnce(outputSchema, said),
    annotations: saidOf(annotations),
    ...(_meta ? { _meta } : {}),
  }
}

type ToolList = { tools: Listed[]; nextCursor?: string }

const listed = new Map<string, Readonly<ToolList>>()

/** A tool's name and description; a name changed for the client is followed by the tool's own, which documents and people use. */
const namedFor = (names: ToolNames, name: string, description: string) =>
  names === 'own' || safeName(name) === name
    ? { name, description }
    : { name: safeName(name), description: `${description} Also called ${name}.` }

/** Answers `tools/list`: the tools the key may call, made once for each page, set of scopes and kind of names, with or without views; frozen. */
export function listTools(
  { actor, names, rendersApps }: Pick<Caller, 'actor' | 'names' | 'rendersApps'>,
  cursor?: string,
): Readonly<ToolList> {
  const kind = JSON.stringify([names, rendersApps === true, [...actor.scopes].sort(), cursor])
  const known = listed.get(kind)
  if (known) return known
  const { entries, ...next } = pageOf('tools', toolsFor(actor), cursor)
  const said = new Set<string>()
  const list = Object.freeze({ tools: entries.map((tool) => listedTool(tool, names, rendersApps, said)), ...next })
  listed.set(kind, list)
  return list
}
