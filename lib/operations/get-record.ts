import * as z from 'zod'
import { type Database, database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { linkOf, listNewest } from '@/db/queries/neighbours'
import { customerBalance } from '@/db/queries/reports/customer-balance'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import { identifierOf } from '@/lib/core/resource-names'
import { fieldOfLink, type Link, type Resource } from '@/lib/resources/define'
import { Amount, Currency } from '@/lib/resources/fields'
import { RESOURCES, resourceCalled, resources } from '@/lib/resources/registry'
import { absent } from './absent'
import { agentExample, agentListSource, agentOutput, untrustedOf } from './agent-fields'
import { type Context, defineOperation, JsonText } from './define'
import { contractorDays } from './reports/fields'
import { requireMeant, resourceOfId } from './search/meant'

/** The most neighbours of a kind in one answer; the others are only counted. */
const MOST_NEIGHBOURS = 10

/** A record whose neighbors are looked up: its contractor and its public fields. */
export type Anchor = { contractorId: string; record: { id: string; [field: string]: unknown } }

/** A kind of neighbor of a resource's records. */
type Neighbour = {
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
const neighboursOf = (resource: Resource): Neighbour[] => [
  ...resource.links.map((link) => one(resource, link)),
  ...RESOURCES.flatMap((other) =>
    other.links.filter(({ to, listed }) => listed && to === resource.singular).map((link) => many(other, link)),
  ),
]

/** The prefix of an id says which resource it belongs to. */
const KINDS = new Map(
  RESOURCES.map((resource) => [resource.idPrefix, { resource, neighbours: neighboursOf(resource) }]),
)

// Named, so that a client's schema contains each resource once and refers to it.
const SCHEMAS = new Map(
  RESOURCES.map((resource) => [resource.name, agentOutput(resource).meta({ id: identifierOf(resource.singular) })]),
)
const schemaOf = (resource: Resource) => SCHEMAS.get(resource.name) ?? resource.output

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

/** What a customer owes, was billed and paid; told with the customer alone. */
export const Balance = z
  .array(
    z.object({
      currency: Currency,
      billed: Amount.describe('All invoices, those dated ahead too'),
      received: Amount.describe('All payments up to today, before what went back'),
      refunded: Amount.describe('Money given back'),
      reversed: Amount.describe('Payments that came back'),
      unpaid: Amount.describe('Still to be paid of invoices dated up to today'),
      overdue: Amount.describe('The part of unpaid that is past due'),
      future: Amount.describe('Of invoices dated ahead; not in unpaid'),
      unapplied: Amount.describe('In credit, such as deposits; not deducted'),
    }),
  )
  .optional()
  .describe('For each currency; absent when the key may not read invoices and payments')
const BALANCE_SCOPES = ['read:invoices', 'read:payments'] as const

/** Returns the member with a customer's balance; empty for other records and for keys that may not read it. */
async function balanceOf({ actor, now }: Context, { name }: Resource, customerId: string): Promise<string> {
  if (name !== 'customers' || !BALANCE_SCOPES.every((scope) => actor.scopes.has(scope))) return ''
  const { contractorId } = actor
  const db = await database()
  const days = await contractorDays(db, contractorId, now)
  return `"balance":${await customerBalance(db, { contractorId, customerId, ...days })},`
}

const answerFor = (resource: Resource, neighbours: Neighbour[]) =>
  z.object({
    type: z.literal(resource.singular),
    record: agentOutput(resource, 'record'),
    ...(resource.name === 'customers' ? { balance: Balance } : {}),
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

const SINGULARS = listed(
  RESOURCES.map(({ singular }) => singular),
  'or',
)
const SOURCES = new Map(RESOURCES.map((resource) => [resource.name, agentListSource(resource, 'record')]))
const sourceOf = (resource: Resource, actor: Context['actor']) => SOURCES.get(resource.name)?.(actor) ?? resource.source

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
      const text = await find(db, anchor, actor)
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
    `One ${SINGULARS} by its id, number or name, with what belongs to it, at most ${MOST_NEIGHBOURS} of each kind, newest first; a customer also with what they owe, were billed and paid. ` +
    'For more of them use the list tools, for all about a project get_project_overview.',
  access: 'any_key',
  effect: 'read',
  input: z
    .object({
      id: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .describe('As any answer gives it, the office’s number, or a name: `23-0011-1`, `job 118`, `Dana Whitfield`'),
    })
    .strict(),
  output: Answer,
  example: {
    type: 'payment',
    record: agentExample(resources.payments, 'record'),
    neighbours: {
      project: agentExample(resources.projects),
      customer: agentExample(resources.customers),
      invoice: agentExample(resources.invoices),
    },
    withheld: [],
  },
  tool: {
    category: 'projects',
    example: { id: resources.projects.example.id },
    untrusted: [...new Set(RESOURCES.flatMap(untrustedOf))],
  },
  alsoNeeds: ({ id }) => {
    const resource = resourceOfId(id)
    return resource ? [resource.scope] : []
  },
  run: async (ctx, { id: given }) => {
    const db = await database()
    const id = resourceOfId(given) ? given : (await requireMeant(ctx, given, { field: 'id' })).id
    const { resource, neighbours } = kindOf(id)
    const { singular, name } = resource
    const { contractorId } = ctx.actor
    const record = await getItem(db, sourceOf(resource, ctx.actor), { contractorId, id })
    if (record === undefined) throw await absent(db, resource, { contractorId, id }, `list_${identifierOf(name)}`)
    const [near, balance] = await Promise.all([lookAround(ctx, neighbours, record), balanceOf(ctx, resource, id)])
    return new JsonText(
      `{"type":"${singular}","record":${record},${balance}"neighbours":${near.neighbours},"withheld":${near.withheld}}`,
    )
  },
})
