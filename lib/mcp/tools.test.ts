import { expect, test } from 'vitest'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf } from '@/lib/testing/answer-of'
import { listedTool } from './listed-tools'
import { tools, toolsFor } from './tools'

test('tools: each once', () => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
})

const each = tools.map((tool) => [tool.name, tool] as const)

test.each(each)('%s: a name every client takes, a title, a description for a model', (name, { title, description }) => {
  // verb_noun; or rag.search, which the specification names; or the two that connectors call.
  expect(name).toMatch(/^(?:[a-z]+(?:_[a-z]+)+|rag\.search|search|fetch)$/)
  expect(name.length).toBeLessThanOrEqual(64)
  expect(title).toMatch(/^[A-Z]\w/)
  expect(description.length).toBeGreaterThanOrEqual(60)
  expect(description.length).toBeLessThanOrEqual(600)
})

test('price_project takes the form of estimate_takeoff: the same fields and kinds, described there alone', () => {
  const formOf = (tool: string) =>
    Object(tools.find(({ name }) => name === tool)?.inputSchema.properties).assemblies.items.properties
  const [described, brief] = [formOf('estimate_takeoff'), formOf('price_project')]
  expect(Object.keys(brief)).toEqual(Object.keys(described))
  expect(brief.kind).toEqual({ type: 'string', enum: described.kind.enum })
  expect(described.kind.enum).toHaveLength(20)
  expect(described.kind.description).toContain('framed_wall, fence, block_wall, gutters: length, height;')
  expect(JSON.stringify({ ...brief, kind: {} })).not.toMatch(/description|enum/)
})

test('a default of one kind of work is not told as that of another', () => {
  const { assemblies } = Object(tools.find(({ name }) => name === 'estimate_takeoff')?.inputSchema.properties)
  const { corners, lumber, shape } = assemblies.items.properties
  expect(corners.description).toBe('Outside corners; when left out 4 of siding, else 0')
  expect(lumber.description).not.toContain('default')
  expect(shape.description).toBe('default gable')
})

test.each(each)('%s: the tools its description sends to are there', (_, { description }) => {
  const named = [...description.matchAll(/\b(?:get|list|create|search|add|set|find)_[a-z]+(?:_[a-z]+)*\b/g)].map(
    ([tool]) => tool,
  )
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named))
})

test.each(each)('%s: hints are all given and follow from what it does', (_, { annotations, title, operation }) => {
  const reads = operation.effect === 'read'
  expect(annotations).toEqual({
    title,
    readOnlyHint: reads,
    destructiveHint: title === 'Set a lead’s follow-up',
    idempotentHint: reads || Object(operation.input.shape.idempotencyKey).type === 'string',
    openWorldHint: false,
  })
})

test.each(each)('%s: a list says of a tool that writes whether a repeated call writes again', (_, tool) => {
  const { annotations } = listedTool(tool, 'own')
  const { idempotentHint, ...others } = tool.annotations
  expect(annotations).toEqual(others.readOnlyHint ? others : { ...others, idempotentHint })
})

test.each(each)('%s: both schemas are of an object; arguments nobody knows are refused', (_, tool) => {
  expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  expect(tool.outputSchema).toMatchObject({ type: 'object' })
  expect(tool.input.safeParse({ ...tool.example, doNotTake: 1 }).success).toBe(false)
  // A schema that is sent to a model names no dialect and holds nothing that JSON would drop.
  for (const schema of [tool.inputSchema, tool.outputSchema]) {
    expect(schema).not.toHaveProperty('$schema')
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  }
})

test.each(each)('%s: every argument is described, none names the contractor', (_, { inputSchema }) => {
  for (const [name, property] of Object.entries(Object(inputSchema.properties)))
    expect(Object(property).description, name).toEqual(expect.any(String))
  expect(inputSchema.properties).not.toHaveProperty('contractorId')
})

test.each(each)('%s: a page has at most 25 items, and 10 when nothing is said', (_, { inputSchema }) => {
  const limit = Object(inputSchema.properties).limit
  if (limit === undefined) return
  expect(limit).toMatchObject({ type: 'integer', minimum: 1, description: expect.stringMatching(/default 10$/) })
  expect(limit.maximum).toBeLessThanOrEqual(25)
})

test.each(each)('%s: the example is a call it takes', (_, { input, example, operation }) => {
  expect(input.safeParse(example).error).toBeUndefined()
  expect(operation.input.safeParse(example).error).toBeUndefined()
})

/** Fields of our answers that strangers write, wherever they stand; `name` in a report is a customer's, a project's or an item's. */
const STRANGERS = [
  'leadName',
  'source',
  'customerName',
  'projectName',
  'name',
  'email',
  'reference',
  'supplier',
  'suppliers',
  'address',
  'companies',
  'contractor',
  'description',
  'projectCity',
  'title',
  'snippet',
  'heading',
  'sectionText',
  'value',
  'noteText',
  'author',
  'message',
  'text',
]
/** Fields of these names that are ours all the same: the titles of the sources we cite. */
const OURS: Record<string, string[]> = {
  create_lead: ['message'],
  get_permit_coverage: ['title', 'value', 'source'],
  find_records: ['name'],
  estimate_permit_timeline: ['text'],
  check_permit_requirements: ['title', 'source', 'text'],
  analyze_project_permits: ['title', 'source', 'text'],
  get_contractor: ['name'],
}

test.each(each)(
  '%s: says which of its fields strangers write, those and no others',
  (name, { outputSchema, untrusted }) => {
    const fields = new Set([...JSON.stringify(outputSchema).matchAll(/"(\w+)":\{/g)].map(([, field]) => field))
    const theirs = STRANGERS.filter((field) => fields.has(field) && !OURS[name]?.includes(field))
    expect([...untrusted].sort()).toEqual(theirs.sort())
  },
)

/** Objects of a schema, each by the names of its fields. */
const objectsIn = (schema: unknown): string[][] =>
  typeof schema !== 'object' || schema === null
    ? []
    : [
        ...('properties' in schema ? [Object.keys(Object(schema.properties))] : []),
        ...Object.values(schema).flatMap(objectsIn),
      ]
/** The rows of customers themselves, which are called by their name; and writes, which repeat no text of anybody. */
const NAMED_OTHERWISE = ['get_receivables_aging', 'create_lead', 'add_project_note', 'set_lead_follow_up']

test.each(each.filter(([name]) => !NAMED_OTHERWISE.includes(name)))(
  '%s: a name stands beside each id of a customer or project',
  (_, { outputSchema }) => {
    for (const fields of objectsIn(outputSchema))
      for (const whose of ['customer', 'project'])
        if (fields.includes(`${whose}Id`)) expect(fields).toContain(`${whose}Name`)
  },
)

test.each(each)('%s: is shown to a key with its scopes, and to no key that lacks one of them', (name, { scopes }) => {
  const shown = (has: (typeof SCOPES)[number][]) => toolsFor(actorOf({ id: 'con_of_a_test' }, has)).map((t) => t.name)
  // What is open to any key is shown to one that reads something.
  expect(shown(scopes.length > 0 ? [...scopes] : ['read:customers'])).toContain(name)
  expect(shown(scopes.includes('write:leads') ? [] : ['write:leads'])).not.toContain(name)
  for (const missing of scopes) expect(shown(SCOPES.filter((scope) => scope !== missing))).not.toContain(name)
})

test('price_project takes the kinds of work that estimate_takeoff describes', () => {
  const [described, brief] = ['estimate_takeoff', 'price_project'].map((name) => {
    const { assemblies } = Object(tools.find((tool) => tool.name === name)?.inputSchema.properties)
    return assemblies.items.properties.kind.enum
  })
  expect(described.length).toBeGreaterThan(10)
  expect(brief).toEqual(described)
})
