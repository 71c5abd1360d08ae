import * as z from 'zod'
import type { KeyActor } from '@/lib/auth/actor'
import { identifierOf } from '@/lib/core/resource-names'
import { dayOf } from '@/lib/core/time'
import { recordsBegun } from '@/lib/operations/search/meant'
import { type Resource, statusesOf } from '@/lib/resources/define'
import { projects } from '@/lib/resources/projects'
import { answerOf, requireTool } from './call-tool'
import type { CompletionParams } from './completion-params'
import { InvalidParams } from './invalid-params'
import { prompts } from './prompts'
import { templatesFor } from './record-resources'

/** The most values that the protocol lets an answer hold. */
const MOST_VALUES = 100
/** The maximum number of records offered: a person picks from a short list. */
const MOST_RECORDS = 25

type Source = (actor: KeyActor, typed: string) => string[] | Promise<string[]>

const beginning =
  (all: () => readonly string[]): Source =>
  (_, typed) =>
    all().filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()))

/** Returns today, and the last days of the three months before. */
function days(): string[] {
  const now = new Date()
  const ends = [0, 1, 2].map((back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 0)))
  return [now, ...ends].map(dayOf)
}

const WithIds = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) })

/** Ids of records by what a person would type of them: a name, a number, a street. Nothing typed gives the first of the list. */
const idsOf =
  (resource: Resource): Source =>
  async (actor, typed) => {
    const query = typed.trim()
    if (query === '') {
      const { structuredContent } = await answerOf(requireTool(`list_${identifierOf(resource.name)}`), actor, {
        limit: MOST_RECORDS,
      })
      return WithIds.parse(structuredContent).items.map(({ id }) => id)
    }
    return recordsBegun({ actor, now: new Date() }, query, resource, MOST_RECORDS)
  }

/** The arguments of prompts, by their names, which mean the same in every prompt. */
const ARGUMENTS: Record<string, Source> = {
  asOf: beginning(days),
  currency: beginning(() => Intl.supportedValuesOf('currency')),
  days: beginning(() => ['1', '3', '7', '14', '30']),
  projectId: (actor, typed) => (actor.scopes.has('read:projects') ? idsOf(projects)(actor, typed) : []),
}

function sourceOf(actor: KeyActor, { ref, argument }: z.output<typeof CompletionParams>): Source {
  if (ref.type === 'ref/prompt') {
    const prompt = prompts.find(({ name }) => name === ref.name)
    if (!prompt) throw new InvalidParams(`There is no prompt of this name. prompts/list names those there are.`)
    const source = ARGUMENTS[argument.name]
    if (source && prompt.arguments.some(({ name }) => name === argument.name)) return source
    throw new InvalidParams(`This prompt takes ${prompt.arguments.map(({ name }) => name).join(', ')}.`)
  }
  const template = templatesFor(actor).find(({ uriTemplate }) => uriTemplate === ref.uri)
  if (!template)
    throw new InvalidParams('There is no template of this URI. resources/templates/list has those your key may read.')
  const { resource, uriTemplate } = template
  if (argument.name === 'id' && uriTemplate.endsWith('/{id}')) return idsOf(resource)
  if (argument.name === 'status' && uriTemplate.endsWith('{?status}')) return beginning(() => statusesOf(resource))
  throw new InvalidParams(`This template has no variable of this name: ${uriTemplate}`)
}

/** Answers `completion/complete`: values that continue the typed text, the best first. */
export async function complete(actor: KeyActor, params: z.output<typeof CompletionParams>) {
  const values = await sourceOf(actor, params)(actor, params.argument.value)
  return {
    completion: {
      values: values.slice(0, MOST_VALUES),
      total: values.length,
      hasMore: values.length > MOST_VALUES,
    },
  }
}
