import type { KeyActor } from '@/lib/auth/actor'
import { operations } from '@/lib/operations/registry'
import { listedViews } from './apps'
import { callTool, requireTool } from './call-tool'
import type { Caller } from './caller'
import { questionOf, withAnswers, withFactsAsked } from './elicitation'
import { pageOf } from './pages'
import { prompts, renderPrompt } from './prompts'
import { templatesFor } from './record-resources'
import { mcpResources, readResource } from './resources'

/** The tools whose answers name facts that a person may know. */
const ASKING: ReadonlySet<string> = new Set([
  operations.checkPermitRequirements.name,
  operations.analyzeProjectPermits.name,
])

/** `tools/call`. A permit check asks the person for missing facts, where the client can show the questions. */
export async function runTool(caller: Caller, params: { name?: unknown; arguments?: unknown }) {
  const { actor, failed, conversation } = caller
  const tool = requireTool(params.name)
  const { ask, asked } = ASKING.has(tool.name) ? caller : {}
  const call = (args: unknown) => callTool(tool, actor, args, failed)
  const calls = () => {
    if (ask) return withFactsAsked(params.arguments, ask, call)
    return call(asked ? withAnswers(params.arguments, asked) : params.arguments)
  }
  const result = await (conversation ? conversation.during(tool.name, calls) : calls())
  return (asked && questionOf(result, asked)) ?? result
}

const documents = mcpResources.map(({ read: _, ...resource }) => resource)
const documentsAndViews = [...documents, ...listedViews]

/** `resources/list`; views of tools for clients that render them. */
export function listResources({ rendersApps }: Pick<Caller, 'rendersApps'>, cursor?: string) {
  const { entries: resources, ...next } = pageOf('resources', rendersApps ? documentsAndViews : documents, cursor)
  return { resources, ...next }
}

/** `resources/templates/list`: the records that the key may read. */
export function listTemplates(actor: KeyActor, cursor?: string) {
  const { entries, ...next } = pageOf('resource templates', templatesFor(actor), cursor)
  return { resourceTemplates: entries.map(({ resource: _, ...template }) => template), ...next }
}

/** `resources/read`. */
export const readResourceFor = async (actor: KeyActor, { uri }: { uri: string }) => ({
  contents: [await readResource(uri, actor)],
})

/** `prompts/list`. */
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

/** `prompts/get`. */
export const getPrompt = ({
  name,
  arguments: args = {},
}: {
  name: string
  arguments?: Record<string, unknown> | undefined
}) => ({
  messages: renderPrompt(name, args),
})
