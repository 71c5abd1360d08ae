import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { putDocuments } from '@/db/queries/documents'
import { authenticate } from '@/lib/auth/authenticate'
import { SCOPES } from '@/lib/auth/scopes'
import { dayOf } from '@/lib/core/time'
import { openTestDatabase } from '@/lib/testing/database'
import { makeDocument } from '@/lib/testing/documents'
import { call, makeTenant } from '@/lib/testing/tenant'
import { callTool, requireTool } from './call-tool'
import { complete } from './completions'
import { isObject, type JsonObject, objects, propertiesOf, strings } from './json-schema'
import { edgeOf } from './read-day'
import { type Tool, tools } from './tools'

type Args = Record<string, unknown>
type Told = { isError: boolean; data: Record<string, unknown>; texts: string[]; meta: Record<string, unknown> }

let db: Database
let office: Awaited<ReturnType<typeof makeOffice>>
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  process.env.RATE_LIMIT_RAG = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
  office = await makeOffice()
})
afterAll(() => db.close())

const BOOKS = {
  'customers.csv': `Customer ID,Name,Email,Phone,Address,City,State,Zip
C1,Dana Whitfield,dana@example.com,(615) 555-0142,1204 Oak Street,Nashville,TN,37203
C2,Dana Okafor,okafor@example.com,(615) 555-0300,8 Pine Rd,Franklin,TN,37064
C3,José Núñez,jose@example.com,(615) 555-0201,9 Main St,Franklin,TN,37064
`,
  'projects.csv': `Project ID,Customer ID,Name,Status,Total Amount,Address,City,State,Zip
P1,C1,Whitfield re-roof,In Progress,5000.00,1204 Oak Street,Nashville,TN,37203
P2,C2,Deck,Completed,900.00,8 Pine Rd,Franklin,TN,37064
P3,C2,Fence,Completed,100.00,8 Pine Rd,Franklin,TN,37064
P4,C3,Panel upgrade,Scheduled,800.00,9 Main St,Franklin,TN,37064
P5,C3,Skylights,Lead,,9 Main St,Franklin,TN,37064
`,
  'invoices.csv': `Invoice Number,Project ID,Amount,Invoice Date,Due Date
118,P1,1250.00,2026-10-02,2026-11-01
119,P2,900.00,2026-09-30,2026-10-30
120,P4,700.00,2026-10-31,2026-11-30
23-0011-1,P3,40.00,2025-01-05,2025-02-05
23-0011-2,P3,60.00,2025-01-06,2025-02-06
`,
  'payments.csv': 'Payment ID,Project ID,Amount,Date,Method\nY1,P1,250.00,2026-10-20,check\n',
}

async function makeOffice() {
  const tenant = await makeTenant(db)
  expect((await tenant.load(BOOKS)).faults).toEqual([])
  const { text: key } = await tenant.key(SCOPES)
  const rpc = async (params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const headers = { accept: '*/*', 'content-type': 'application/json' }
    return (await call('/mcp/rpc', { key, method: 'POST', body, headers })).body
  }
  const ask = async (name: string, args: Args | string): Promise<Told> => {
    const { result, error } = await rpc({ name, arguments: args })
    if (error) throw new Error(`${name} ${JSON.stringify(args).slice(0, 200)}: ${JSON.stringify(error)}`)
    const texts = result.content.map(({ text }: { text: string }) => text)
    return {
      isError: result.isError === true,
      data: result.structuredContent ?? JSON.parse(texts[0]),
      texts,
      meta: result._meta ?? {},
    }
  }
  const ids = new Map<string, string>()
  for (const [list, by] of [
    ['list_customers', 'name'],
    ['list_projects', 'name'],
    ['list_invoices', 'number'],
  ] as const)
    for (const item of objects((await ask(list, {})).data.items as JsonObject[]))
      ids.set(String(item[by]), String(item.id))
  await putDocuments(db.orm, tenant.contractor.id, [
    makeDocument('Warranty', 'Ridge vent flashing is covered'),
    makeDocument('How to load flashing', 'A guide of the developers on ridge vent flashing', { type: 'guide' }),
  ])
  const { hits } = (await ask('rag.search', { query: 'covered flashing' })).data as { hits: { id: string }[] }
  return {
    ...tenant,
    actor: await authenticate(new Headers({ 'x-api-key': key }), 'mcp'),
    rpc,
    ask,
    documentId: hits[0]?.id,
    idOf: (name: string) => ids.get(name) ?? name,
  }
}

const notesOf = ({ data }: Told) => data.argumentNotes

describe('a name, a number or a street where an id is taken', () => {
  test.each([
    ['customerId', 'Dana Whitfield', 'Dana Whitfield'],
    ['customerId', 'whitfield', 'Dana Whitfield'],
    ['customerId', 'Whitfeild', 'Dana Whitfield'],
    ['customerId', '1204 Oak', 'Dana Whitfield'],
    ['customerId', '(615) 555-0201', 'José Núñez'],
    ['customer', 'Nunez', 'José Núñez'],
    ['customer_id', 'C3', 'José Núñez'],
    ['projectId', 'P1', 'Whitfield re-roof'],
    ['projectId', 'panel upgrade', 'Panel upgrade'],
    ['projectId', 'Whitfield', 'Whitfield re-roof'],
    ['project', 'job P4', 'Panel upgrade'],
  ])('list_invoices %s: %s is %s, which the answer says', async (field, text, meant) => {
    const { ask, idOf } = office
    const told = await ask('list_invoices', { [field]: text })
    const name = field.startsWith('customer') ? 'customerId' : 'projectId'
    const { argumentNotes, ...data } = told.data
    expect(data).toEqual((await ask('list_invoices', { [name]: idOf(meant) })).data)
    expect(data.count).toBe(1)
    expect(argumentNotes).toEqual([expect.stringContaining(idOf(meant))])
    expect(told.meta['plumbline/untrusted']).toContain('argumentNotes')
    expect(JSON.parse(told.texts[0] ?? '')).toEqual(told.data)
  })

  test('several: an error that names them; none: not_found; an id of another kind: not_found, with the kind it is', async () => {
    const { ask, idOf } = office
    const several = await ask('list_invoices', { customerId: 'Dana' })
    expect(several).toMatchObject({ isError: true, data: { code: 'bad_request', fields: [{ field: 'customerId' }] } })
    for (const name of ['Dana Whitfield', 'Dana Okafor']) {
      expect(several.data.error).toContain(idOf(name))
      expect(several.data.error).toContain(name)
    }
    const both = await ask('get_project_financials', { projectId: 'Okafor' })
    for (const name of ['Deck', 'Fence']) expect(both.data.error).toContain(idOf(name))
    expect((await ask('list_invoices', { customerId: 'zebra' })).data).toMatchObject({ code: 'not_found' })
    expect((await ask('list_invoices', { customerId: idOf('Deck') })).data).toMatchObject({
      code: 'not_found',
      error: expect.stringContaining('is the id of a project, not of a customer'),
    })
  })

  test('get_record takes numbers as numbers, and names', async () => {
    const { ask, idOf } = office
    expect((await ask('get_record', { id: 118 })).data).toMatchObject({ type: 'invoice', record: { id: idOf('118') } })
    expect((await ask('get_record', { id: 'Dana Whitfield' })).data).toMatchObject({
      type: 'customer',
      record: { id: idOf('Dana Whitfield') },
    })
    expect((await ask('get_record', { id: 'Nunes' })).data).toMatchObject({ type: 'customer' })
    expect((await ask('get_record', { id: 'Dana' })).data).toMatchObject({ code: 'bad_request' })
  })

  test('a write takes what is clear, and asks where a name is mistyped or an argument would be lost', async () => {
    const { ask, idOf } = office
    const note = { text: 'Call first.', idempotencyKey: 'habits-note-1' }
    const written = await ask('add_project_note', { ...note, projectId: 'panel upgrade' })
    expect(written.data).toMatchObject({ projectId: idOf('Panel upgrade'), argumentNotes: [expect.any(String)] })
    const mistyped = await ask('add_project_note', { ...note, projectId: 'panle upgrade' })
    expect(mistyped.data).toMatchObject({ code: 'bad_request', error: expect.stringContaining(idOf('Panel upgrade')) })
    const lost = await ask('create_lead', { firstName: 'Ana', lastName: 'Lopez', phone: '6155550188', zip: '37203' })
    expect(lost).toMatchObject({ isError: true, data: { error: expect.stringContaining('Did you mean zipCode?') } })
  })
})

describe('days', () => {
  test('a month is its first and its last day, which the answer says', async () => {
    const { ask } = office
    const told = await ask('list_invoices', { from: '2026-10', to: '2026-10' })
    const { argumentNotes, ...data } = told.data
    expect(data).toEqual((await ask('list_invoices', { from: '2026-10-01', to: '2026-10-31' })).data)
    expect(data.count).toBe(2)
    expect(argumentNotes).toEqual([expect.stringContaining('2026-10-01'), expect.stringContaining('2026-10-31')])
  })

  test('today is the contractor’s', async () => {
    const { ask } = office
    const { data } = await ask('get_receivables_aging', { asOf: 'yesterday' })
    const today = String((await ask('get_receivables_aging', {})).data.asOf)
    expect(data.asOf).toBe(dayOf(new Date(Date.parse(today) - 86_400_000)))
  })
})

describe('completion', () => {
  test.each([
    ['customers', 'Okaf', ['Dana Okafor']],
    ['customers', 'núñ', ['José Núñez']],
    ['projects', 'Okafor', ['Deck', 'Fence']],
    ['projects', 'Skyl', ['Skylights']],
    ['invoices', '23-00', ['23-0011-1', '23-0011-2']],
    ['invoices', '11', ['118', '119']],
    ['invoices', 'zzz', []],
  ])('%s by “%s”', async (resource, value, found) => {
    const { actor, idOf } = office
    const ref = { type: 'ref/resource', uri: `plumbline://${resource}/{id}` } as const
    const { completion } = await complete(actor, { ref, argument: { name: 'id', value } })
    expect(completion.values.sort()).toEqual(found.map(idOf).sort())
  })
})

describe('search and fetch, as connectors of chat products call them', () => {
  test('results have an id, a title and an address; fetch has the text of each, in one text and nothing beside it', async () => {
    const { ask, idOf, documentId } = office
    const told = await ask('search', { query: 'Whitfield' })
    const { results } = told.data as { results: { id: string; title: string; url: string }[] }
    expect(results[0]).toEqual({
      id: idOf('Dana Whitfield'),
      title: 'Dana Whitfield',
      url: expect.stringMatching(new RegExp(`^http.*/customers/${idOf('Dana Whitfield')}$`)),
    })
    expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
    expect(told.texts).toEqual([JSON.stringify(told.data)])
    const { data, texts, meta } = await ask('fetch', { id: idOf('Dana Whitfield') })
    expect(data).toEqual({ ...results[0], text: expect.any(String), metadata: { type: 'customer', truncated: false } })
    for (const part of ['name: Dana Whitfield', 'email: dana@example.com', 'totalAmount: 5000'])
      expect(data.text).toContain(part)
    expect(texts).toEqual([JSON.stringify(data)])
    expect(meta['plumbline/untrusted']).toEqual(['title', 'text'])
    const warranty = await ask('search', { query: 'ridge vent flashing' })
    expect(warranty.data.results).toEqual([{ id: documentId, title: 'Warranty', url: expect.any(String) }])
    expect((await ask('fetch', { id: documentId })).data).toMatchObject({
      title: 'Warranty',
      text: 'Ridge vent flashing is covered',
    })
  })

  test('a key finds and fetches only what it may read', async () => {
    const { text: key } = await office.key(['read:customers'])
    const actor = await authenticate(new Headers({ 'x-api-key': key }), 'mcp')
    const found = await callTool(requireTool('search'), actor, { query: 'Whitfield' })
    const ids = (Object(found.structuredContent).results as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual([office.idOf('Dana Whitfield')])
    for (const id of [office.documentId, office.idOf('118')])
      expect(await callTool(requireTool('fetch'), actor, { id })).toMatchObject({ isError: true })
  })
})

describe('pages', () => {
  test('every tool that goes on does so by pageToken', () => {
    for (const { name, input, outputSchema } of tools) {
      expect(Object.keys(input.shape), name).not.toContain('skip')
      const isPaged = 'pageToken' in input.shape
      expect('nextPageToken' in Object(outputSchema.properties), name).toBe(isPaged)
    }
  })

  test.each([
    ['get_receivables_aging', 'customers', { limit: 1 }],
    ['get_unbilled_work', 'projects', { limit: 1, status: ['scheduled', 'in_progress', 'completed'] }],
    ['list_customers', 'items', { limit: 2 }],
  ])('%s: every page but the last has the token of the next', async (name, list, args) => {
    const { ask } = office
    const whole = (await ask(name, { ...args, limit: 25 })).data[list] as unknown[]
    const told: unknown[] = []
    let pageToken: unknown
    do {
      const { data } = await ask(name, { ...args, pageToken })
      told.push(...(data[list] as unknown[]))
      pageToken = data.nextPageToken
    } while (pageToken !== null)
    expect(whole.length).toBeGreaterThan(1)
    expect(told).toEqual(whole)
    expect(await ask(name, { ...args, pageToken: 'nothing' })).toMatchObject({
      isError: true,
      data: { fields: [{ field: 'pageToken' }] },
    })
  })
})

describe('names of tools and arguments', () => {
  test.each([
    ['listInvoices', 'list_invoices'],
    ['Rag.Search', 'rag.search'],
    ['get_invoices', 'list_invoices'],
  ])('%s: did you mean %s?', async (given, meant) => {
    const { error } = await office.rpc({ name: given, arguments: {} })
    expect(error).toMatchObject({ code: -32602, data: { reason: expect.stringContaining(`Did you mean ${meant}?`) } })
  })

  test('what no model means is refused at once, however much it is', async () => {
    const { ask } = office
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`name${i}`, i]))
    for (const args of [
      many,
      { status: Array(50_000).fill('Past Due') },
      { status: 'x,'.repeat(300_000) },
      { status: '['.repeat(300_000) },
      { minAmount: '1'.repeat(500_000) },
      { customerId: 'a '.repeat(200_000) },
      { from: 'constructor' },
      { from: 'x'.repeat(500_000) },
    ])
      expect(await ask('list_invoices', args)).toMatchObject({ isError: true })
    const told = await ask('list_invoices', { ['x'.repeat(500_000)]: 1, constructor: 2, toString: 3 })
    expect(told.isError).toBe(false)
    expect(notesOf(told)).toHaveLength(3)
  })

  test('another contractor is refused', async () => {
    const told = await office.ask('list_invoices', { contractorId: 'con_01k9zq2v6n8m4t5c3b7x1w0jd2' })
    expect(told).toMatchObject({ isError: true, data: { fields: [{ field: 'contractorId' }] } })
  })
})

/** A value that fits a schema, and other ways to write it. */
type Habit = { value: unknown; written: unknown[] }

/** Other ways to name an order from the greatest down. */
const descending = (words: string[]) => words.filter((word) => word.startsWith('-'))

const loud = (word: string) => word.replaceAll('_', ' ').toUpperCase()

/** Returns a value that an argument takes, and how models write it too. */
function habitOf(name: string, schema: JsonObject): Habit | undefined {
  const [down] = descending(strings(schema.enum))
  if (down !== undefined)
    return { value: down, written: [down.toUpperCase(), `${down.slice(1)} desc`, `${down.slice(1)}:DESC`] }
  const [word] = strings(schema.enum)
  if (word !== undefined) return { value: word, written: [loud(word), [word]] }
  if (edgeOf(name) === 'first') return { value: '2026-10-01', written: ['2026-10', 'October 2026'] }
  if (edgeOf(name) === 'last') return { value: '2026-10-31', written: ['2026-10'] }
  if (schema.type === 'boolean') return { value: true, written: ['true', 'True'] }
  if (schema.type === 'number' || schema.type === 'integer') {
    const value = typeof schema.minimum === 'number' ? schema.minimum : 2
    return { value, written: [String(value), ` ${value} `] }
  }
  if (schema.type !== 'array' || !isObject(schema.items)) return undefined
  const [item] = strings(schema.items.enum)
  return item === undefined
    ? undefined
    : { value: [item], written: [item, loud(item), JSON.stringify([item]), [`${item}s`]] }
}

/** Other ways to write a value of an example. */
function writtenOtherwise(value: unknown, schema: JsonObject): unknown[] {
  if (Array.isArray(value)) return [JSON.stringify(value), ...(value.length === 1 ? value : [])]
  if (typeof value === 'object') return [JSON.stringify(value)]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return strings(schema.enum).length > 0 ? [loud(String(value))] : []
}

/** A tool's example with records that are there. */
function exampleOf({ name, category, example }: Tool): Args {
  const projectId = office.idOf(category === 'leads' ? 'Skylights' : 'Whitfield re-roof')
  const id = name === 'read_document' ? office.documentId : projectId
  const there = Object.entries({ projectId, project: projectId, id }).filter(([field]) => field in example)
  return { ...example, ...Object.fromEntries(there) }
}

/** Every argument of a tool with a value, and every other way to write it. */
function habitsOf(tool: Tool): { name: string; value: unknown; written: unknown[] }[] {
  const example = exampleOf(tool)
  return propertiesOf(tool.readingSchema).flatMap(([name, schema]) => {
    if (name in example) return [{ name, value: example[name], written: writtenOtherwise(example[name], schema) }]
    const habit = habitOf(name, schema)
    return habit ? [{ name, ...habit }] : []
  })
}

const withoutNotes = ({ data: { argumentNotes: _, ...data }, isError }: Told) => ({ isError, data })
const OF_CLIENTS = { toolCallId: 'a', tool: 'b', sessionId: 'c', action: 'd', chatInput: 'e', _reason: 'f' }

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const isRead = tool.operation.effect === 'read'

  test('each argument, written as models write it, is read as what it means', async () => {
    const example = exampleOf(tool)
    for (const { name: field, value, written } of habitsOf(tool)) {
      const plain = withoutNotes(await office.ask(name, { ...example, [field]: value }))
      for (const other of written)
        expect(withoutNotes(await office.ask(name, { ...example, [field]: other })), `${field} ${other}`).toEqual(plain)
    }
    const plain = withoutNotes(await office.ask(name, example))
    expect(plain.isError, JSON.stringify(plain.data)).toBe(false)
    expect(withoutNotes(await office.ask(name, JSON.stringify(example)))).toEqual(plain)
  })

  test('"" and "null" leave out what may be left out', async () => {
    const example = exampleOf(tool)
    const plain = await office.ask(name, example)
    const optional = Object.keys(tool.input.shape).filter(
      (field) => !(field in example) && tool.input.shape[field]?._zod.optin === 'optional',
    )
    for (const nothing of ['', 'null', null]) {
      const args = { ...example, ...Object.fromEntries(optional.map((field) => [field, nothing])) }
      expect(await office.ask(name, args), JSON.stringify(nothing)).toEqual(plain)
    }
  })

  test('what a client adds is ignored; what nobody knows is told or refused with the arguments there are', async () => {
    const example = exampleOf(tool)
    const plain = await office.ask(name, example)
    const added = Object.fromEntries(Object.entries(OF_CLIENTS).filter(([field]) => !(field in tool.input.shape)))
    expect(await office.ask(name, { ...example, ...added, contractorId: office.contractor.id })).toEqual(plain)
    const told = await office.ask(name, { ...example, nonsense: 1 })
    const fields = Object.keys(tool.input.shape).join(', ') || 'none'
    if (isRead) expect(withoutNotes(told)).toEqual(withoutNotes(plain))
    if (isRead) expect(notesOf(told)).toEqual([expect.stringContaining(`There are ${fields}.`)])
    else expect(told).toMatchObject({ isError: true, data: { error: expect.stringContaining(fields) } })
  })
})
