import { z } from 'zod'
import { database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { type Context, defineOperation, JsonText } from './define'
import { MOST_NEIGHBOURS, type Neighbour, neighboursOf } from './neighbours'

/** The prefix of an id says which resource it belongs to. */
const KINDS = new Map(
  RESOURCES.map((resource) => [resource.idPrefix, { resource, neighbours: neighboursOf(resource) }]),
)

// Named, so that a client's schema contains each resource once and refers to it.
const SCHEMAS = new Map(RESOURCES.map(({ name, singular, output }) => [name, output.meta({ id: singular })]))
const schemaOf = ({ name, output }: Resource) => SCHEMAS.get(name) ?? output

const newest = (output: z.ZodObject) =>
  z.object({
    items: z.array(output).describe(`Newest first, at most ${MOST_NEIGHBOURS}`),
    more: z.int().nonnegative().describe('How many there are beyond these'),
  })
// One schema per resource, shared so that it is written only once.
const NEWEST = new Map(RESOURCES.map((resource) => [resource.name, newest(schemaOf(resource)).optional()]))

function neighbourSchema({ resource, isMany, description }: Neighbour): z.ZodType {
  const schema = (isMany && NEWEST.get(resource.name)) || schemaOf(resource).optional()
  return description === undefined ? schema : schema.describe(description)
}

const answerFor = (resource: Resource, neighbours: Neighbour[]) =>
  z.object({
    type: z.literal(resource.singular),
    record: schemaOf(resource),
    neighbours: z.object(Object.fromEntries(neighbours.map((each) => [each.name, neighbourSchema(each)]))),
    withheld: z
      .array(z.string())
      .describe('Neighbours that are left out because the key lacks the scope to read their kind'),
  })

const [first, ...rest] = [...KINDS.values()].map(({ resource, neighbours }) => answerFor(resource, neighbours))
if (!first) throw new Error('there are no resources')
const Answer = z.discriminatedUnion('type', [first, ...rest])

/** Joins words into a list for a sentence. */
const listed = (words: string[], last: 'and' | 'or') => words.join(', ').replace(/, ([^,]+)$/, ` ${last} $1`)

const PREFIXES = [...KINDS.keys()]
const SINGULARS = listed(
  RESOURCES.map(({ singular }) => singular),
  'or',
)
const TOGETHER = [...KINDS.values()]
  .map(({ resource, neighbours }) => `${resource.singular}: ${neighbours.map(({ name }) => name).join(', ')}`)
  .join('; ')

const WithId = z.looseObject({ id: z.string() })

function kindOf(id: string) {
  const kind = KINDS.get(id.slice(0, id.indexOf('_')))
  if (!kind) throw new Error('the input takes no other id')
  return kind
}

/** Returns the JSON text of the neighbours the actor may read, and the names of the others. */
async function lookAround({ actor }: Context, neighbours: Neighbour[], record: string) {
  const db = await database()
  const anchor = { contractorId: actor.contractorId, record: WithId.parse(JSON.parse(record)) }
  const mayRead = neighbours.filter(({ scope }) => actor.scopes.has(scope))
  const texts = await Promise.all(
    mayRead.map(async ({ name, find }) => {
      const text = await find(db, anchor)
      return text === undefined ? [] : [`"${name}":${text}`]
    }),
  )
  const withheld = neighbours.filter((each) => !mayRead.includes(each)).map(({ name }) => name)
  return { neighbours: `{${texts.flat().join(',')}}`, withheld: JSON.stringify(withheld) }
}

/** Returns any record by its id, with what belongs to it. */
export const getRecord = defineOperation({
  name: 'get_record',
  title: 'Get one record with its neighbours',
  description:
    `One ${SINGULARS} by its id, and what belongs to it (${TOGETHER}): at most ${MOST_NEIGHBOURS} of each kind, newest first, and how many more. ` +
    'Take ids from the list tools or from an answer before; for more neighbours use the list tools with customerId or projectId, for ' +
    'sums of a project get_project_financials.',
  access: 'any_key',
  effect: 'read',
  input: z
    .object({
      id: z
        .string()
        .regex(
          new RegExp(`^(${PREFIXES.join('|')})_[\\w-]{1,80}$`),
          `must be an id that begins with ${listed(
            PREFIXES.map((prefix) => `${prefix}_`),
            'or',
          )}`,
        )
        .describe(
          `As any answer gives it: ${RESOURCES.map(({ idPrefix, singular }) => `${idPrefix}_… (${singular})`).join(', ')}`,
        ),
    })
    .strict(),
  output: Answer,
  example: {
    type: 'payment',
    record: resources.payments.example,
    neighbours: {
      project: resources.projects.example,
      customer: resources.customers.example,
      invoice: resources.invoices.example,
    },
    withheld: [],
  },
  tool: {
    category: 'projects',
    example: { id: resources.projects.example.id },
    untrusted: [...new Set(RESOURCES.flatMap(({ tool }) => tool.untrusted ?? []))],
  },
  alsoNeeds: ({ id }) => [kindOf(id).resource.scope],
  run: async (ctx, { id }) => {
    const { resource, neighbours } = kindOf(id)
    const { singular, name, source } = resource
    const record = await getItem(await database(), source, { contractorId: ctx.actor.contractorId, id })
    if (record === undefined)
      throw new ServiceError('not_found', `There is no ${singular} with this id. Take ids from list_${name}.`)
    const near = await lookAround(ctx, neighbours, record)
    return new JsonText(
      `{"type":"${singular}","record":${record},"neighbours":${near.neighbours},"withheld":${near.withheld}}`,
    )
  },
})
