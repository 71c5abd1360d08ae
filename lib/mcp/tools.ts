import * as z from 'zod'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import { once } from '@/lib/core/later'
import { type AnyOperation, scopesOf, type ToolBinding } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import type { ObjectSchema } from './json-schema'
import { pagedInput, pagedOutput } from './pages'
import { plainSchema } from './plain-schema'

/** The effects of a tool on its environment, as clients are told (MCP 2025-11-25, schema `ToolAnnotations`); derived from `effect`. */
export type ToolHints = {
  title: string
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** An operation as agents see it. */
export type Tool = {
  name: string
  title: string
  description: string
  category: ToolBinding['category']
  /** The arguments, strict: what is not named is refused. */
  input: z.ZodObject
  inputSchema: ObjectSchema
  /** The arguments as they are read where they are not plain: nothing of them is brief. */
  readingSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: ToolHints
  scopes: readonly Scope[]
  example: Record<string, unknown>
  untrusted: readonly string[]
  /** The list that is told page by page, where its operation skips what was told. */
  pages: string | undefined
  /** True when its result is one text and nothing beside it. */
  oneText: boolean
  operation: AnyOperation
}

/**
 * Reads change nothing. A write adds, unless its binding says that it replaces; sent twice it adds twice, unless it demands an idempotency
 * key.
 */
const hintsOf = ({ title, effect }: AnyOperation, input: z.ZodObject, { replaces }: ToolBinding): ToolHints => ({
  title,
  readOnlyHint: effect === 'read',
  destructiveHint: replaces === true,
  idempotentHint: effect === 'read' || 'idempotencyKey' in input.shape,
  openWorldHint: false,
})

/** A schema as a model reads it: the patterns that say no more than the format are left out, as every one costs its context. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', whole = false): ObjectSchema {
  const {
    $schema: _,
    '~standard': __,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties
      if (whole) delete jsonSchema.brief
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
  return plainSchema(JSON.parse(JSON.stringify(json)), io)
}

function toolOf(operation: AnyOperation, tool: ToolBinding): Tool {
  const taken = tool.input ?? operation.input
  const input = (tool.pages === undefined ? taken : pagedInput(taken)).strict()
  const output = tool.pages === undefined ? operation.output : pagedOutput(operation.output)
  // A list needs them, a call does not, and to write them takes longer than all else of a tool.
  const inputSchema = once(() => schemaOf(input, 'input'))
  const readingSchema = once(() => schemaOf(input, 'input', true))
  const outputSchema = once(() => schemaOf(output, 'output'))
  return {
    name: tool.name ?? operation.name,
    title: operation.title,
    description: tool.description ?? operation.description,
    category: tool.category,
    input,
    get inputSchema() {
      return inputSchema()
    },
    get readingSchema() {
      return readingSchema()
    },
    get outputSchema() {
      return outputSchema()
    },
    annotations: hintsOf(operation, input, tool),
    scopes: scopesOf(operation),
    example: tool.example,
    untrusted: tool.untrusted ?? [],
    pages: tool.pages,
    oneText: tool.oneText === true,
    operation,
  }
}

const all: AnyOperation[] = Object.values(operations)

/** The tools, in the order of the registry. */
export const tools: readonly Tool[] = all.flatMap((operation) =>
  operation.tool ? [toolOf(operation, operation.tool)] : [],
)

/**
 * Reports whether a tool is of use to a key. One open to any key reads something of whatever the key may read, so a key that only writes
 * gets nothing from it.
 */
const isOfUse = ({ scopes, operation }: Tool, actor: Actor): boolean =>
  operation.access === 'any_key'
    ? [...actor.scopes].some((scope) => scope.startsWith('read:'))
    : scopes.every((scope) => actor.scopes.has(scope))

/** The tools an actor may call: what it lacks a scope for, it is not shown. */
export const toolsFor = (actor: Actor): Tool[] => tools.filter((tool) => isOfUse(tool, actor))
