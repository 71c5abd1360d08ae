import type { KeyActor } from '@/lib/auth/actor'
import { parsedText } from '@/lib/core/json'
import { operations } from '@/lib/operations/registry'
import { listedViews } from './apps'
import { callTool, fixable, requireTool } from './call-tool'
import type { Caller } from './caller'
import { questionOf, withAnswers, withElicitedFacts } from './elicitation'
import { pageOf } from './pages'
import { prompts, renderPrompt } from './prompts'
import { templatesFor } from './record-resources'
import { mcpResources, readResource } from './resources'

/** The tools whose answers name facts that a person may know. */
const ASKING: ReadonlySet<string> = new Set([
  operations.checkPermitRequirements.name,
  operations.analyzeProjectPermits.name,
])

/** Answers `tools/call`. A permit check asks the person for missing facts, where the client can show the questions. */
export async function runTool(caller: Caller, params: { name?: unknown; arguments?: unknown }) {
  const { actor, failed, conversation, refused } = caller
  const tool = requireTool(params.name)
  if (refused) return fixable(refused, failed)
  const { ask, asked } = ASKING.has(tool.name) ? caller : {}
  const args = parsedText(params.arguments, '{')
  const call = (known: unknown) => callTool(tool, actor, known, caller)
  const calls = () => {
    if (ask) return withElicitedFacts(args, ask, call)
    return call(asked ? withAnswers(args, asked) : args)
  }
  const result = await (conversation ? conversation.during(tool.name, calls) : calls())
  return (asked && questionOf(result, asked)) ?? result
}

const documents = mcpResources.map(({ read: _, ...resource }) => resource)
const documentsAndViews = [...documents, ...listedViews]

/** Answers `resources/list`, with views of tools for clients that render them. */
export function listResources({ rendersApps }: Pick<Caller, 'rendersApps'>, cursor?: string) {
  const { entries: resources, ...next } = pageOf('resources', rendersApps ? documentsAndViews : documents, cursor)
  return { resources, ...next }
}

/** Answers `resources/templates/list`: the records that the key may read. */
export function listTemplates(actor: KeyActor, cursor?: string) {
  const { entries, ...next } = pageOf('resource templates', templatesFor(actor), cursor)
  return { resourceTemplates: entries.map(({ resource: _, ...template }) => template), ...next }
}

/** Runs `resources/read`. */
export const readResourceFor = async (actor: KeyActor, { uri }: { uri: string }) => ({
  contents: [await readResource(uri, actor)],
})

/** Runs `prompts/list`. */
export function listPrompts(cursor?: string) {
  const { entries, ...next } = pageOf('prompts', prompts, cursor)
  const listed = entries.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: args,
  }))
  return { prompts: listed, ...next }
}

/** Runs `prompts/get`. */
export const getPrompt = ({
  name,
  arguments: args = {},
}: {
  name: string
  arguments?: Record<string, unknown> | undefined
}) => ({
  messages: renderPrompt(name, args),
})
