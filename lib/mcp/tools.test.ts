import { expect, test } from 'vitest'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf } from '@/lib/testing/answer-of'
import { listedTool } from './listed-tools'
import { tools, toolsFor } from './tools'

const NAMES = [
  'list_customers',
  'list_projects',
  'list_invoices',
  'list_payments',
  'list_estimates',
  'list_leads',
  'get_project_overview',
  'get_revenue_summary',
  'get_unbilled_work',
  'get_record',
  'create_lead',
  'add_project_note',
  'set_lead_follow_up',
  'get_project_financials',
  'get_receivables_aging',
  'get_cash_flow',
  'get_lead_performance',
  'estimate_takeoff',
  'search_materials',
  'price_project',
  'search_permits',
  'get_permit_coverage',
  'estimate_permit_timeline',
  'check_permit_requirements',
  'analyze_project_permits',
  'rag.search',
  'read_document',
  'find_records',
]

test('tools: these, once each', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual([...NAMES].sort())
})

const each = tools.map((tool) => [tool.name, tool] as const)

test.each(each)('%s: a name every client takes, a title, a description for a model', (name, { title, description }) => {
  // verb_noun, or rag.search, which the specification names.
  expect(name).toMatch(/^(?:[a-z]+(?:_[a-z]+)+|rag\.search)$/)
  expect(name.length).toBeLessThanOrEqual(64)
  expect(title).toMatch(/^[A-Z]\w/)
  expect(description.length).toBeGreaterThanOrEqual(60)
  expect(description.length).toBeLessThanOrEqual(600)
})

test.each(each)('%s: the tools its description sends to are there', (_, { description }) => {
  const named = [...description.matchAll(/\b(?:get|list|create|search|add|set|find)_[a-z]+(?:_[a-z]+)*\b/g)].map(
    ([tool]) => tool,
  )
  expect(NAMES).toEqual(expect.arrayContaining(named))
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
  'source',
  'customerName',
  'projectName',
  'name',
  'email',
  'reference',
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
]
/** Fields of these names that are ours all the same: the titles of the sources we cite. */
const OURS: Record<string, string[]> = {
  get_permit_coverage: ['title', 'value', 'source'],
  find_records: ['name'],
  check_permit_requirements: ['title', 'source'],
  analyze_project_permits: ['title', 'source'],
}

test.each(each)(
  '%s: says which of its fields strangers write, those and no others',
  (name, { outputSchema, untrusted }) => {
    const fields = new Set([...JSON.stringify(outputSchema).matchAll(/"(\w+)":\{/g)].map(([, field]) => field))
    const theirs = STRANGERS.filter((field) => fields.has(field) && !OURS[name]?.includes(field))
    expect([...untrusted].sort()).toEqual(theirs.sort())
  },
)

test.each(each)('%s: is shown to a key with its scopes, and to no key that lacks one of them', (name, { scopes }) => {
  const shown = (has: (typeof SCOPES)[number][]) => toolsFor(actorOf({ id: 'con_of_a_test' }, has)).map((t) => t.name)
  // What is open to any key is shown to one that reads something.
  expect(shown(scopes.length > 0 ? [...scopes] : ['read:customers'])).toContain(name)
  expect(shown(scopes.includes('write:leads') ? [] : ['write:leads'])).not.toContain(name)
  for (const missing of scopes) expect(shown(SCOPES.filter((scope) => scope !== missing))).not.toContain(name)
})
