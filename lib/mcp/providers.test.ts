import { expect, test } from 'vitest'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf } from '@/lib/testing/answer-of'
import type { Json, JsonObject } from './json-schema'
import { listedTool, listTools } from './listed-tools'
import { safeName } from './tool-names'
import { tools } from './tools'

/** Returns every schema within a schema, with the path to it. */
function schemasIn(schema: JsonObject, path = '#'): [path: string, schema: JsonObject][] {
  const under = (value: Json | undefined, at: string): [string, JsonObject][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? schemasIn(value, at) : []
  const each = (value: Json | undefined, at: string) =>
    Array.isArray(value) ? value.flatMap((one, i) => under(one, `${at}/${i}`)) : []
  return [
    [path, schema],
    ...Object.entries(Object(schema.properties) as JsonObject).flatMap(([name, value]) =>
      under(value, `${path}/${name}`),
    ),
    ...under(schema.items, `${path}[]`),
    ...each(schema.anyOf, `${path}/anyOf`),
  ]
}

const depthOf = (schema: JsonObject): number => Math.max(...schemasIn(schema).map(([path]) => path.split('/').length))

/** A tool's arguments as strict mode wants them: every property required, what may be left out as a choice with null. */
function strictly(schema: JsonObject): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = Object.entries(Object(schema.properties) as Record<string, JsonObject>).map(([name, value]) => {
    const inner = strictly(value)
    return [name, required.includes(name) ? inner : { anyOf: [inner, { type: 'null' }] }] as const
  })
  return {
    ...schema,
    ...(schema.properties
      ? { properties: Object.fromEntries(properties), required: properties.map(([name]) => name) }
      : {}),
    ...(schema.items ? { items: strictly(Object(schema.items)) } : {}),
  }
}

// OpenAI, "Structured outputs", supported schemas; function names of "Function calling".
const OPENAI = [
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
]
// Google, "Schema" of the Gemini API; formats of strings and `additionalProperties` are refused or ignored by its versions, so none is counted on.
const GEMINI = [
  'type',
  'description',
  'properties',
  'required',
  'items',
  'anyOf',
  'enum',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'additionalProperties',
]

const each = tools.map((tool) => [tool.name, tool] as const)

test.each(each)('%s: OpenAI’s strict mode takes it', (name, { inputSchema }) => {
  expect(safeName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  const schema = strictly(inputSchema)
  for (const [path, { properties, required, additionalProperties, type, ...rest }] of schemasIn(schema)) {
    for (const keyword of Object.keys(rest)) expect(OPENAI, `${path} ${keyword}`).toContain(keyword)
    if (type !== 'object') continue
    expect(additionalProperties, path).toBe(false)
    expect(required, path).toEqual(Object.keys(Object(properties)))
  }
  expect(schema.anyOf).toBeUndefined()
  expect(schemasIn(schema).length).toBeLessThanOrEqual(5_000)
  expect(depthOf(schema)).toBeLessThanOrEqual(10)
})

test.each(each)('%s: Anthropic takes it', (name, { inputSchema }) => {
  expect(safeName(name)).toMatch(/^[a-zA-Z0-9_-]{1,128}$/)
  expect(inputSchema.type).toBe('object')
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(inputSchema).not.toHaveProperty(keyword)
})

test.each(each)('%s: Gemini takes it', (name, { inputSchema }) => {
  expect(safeName(name)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,62}$/)
  for (const [path, schema] of schemasIn(inputSchema)) {
    for (const keyword of Object.keys(schema)) expect(GEMINI, `${path} ${keyword}`).toContain(keyword)
    expect(typeof schema.type === 'string' || Array.isArray(schema.anyOf), path).toBe(true)
    if (Array.isArray(schema.enum))
      expect(
        schema.enum.every((value) => typeof value === 'string'),
        path,
      ).toBe(true)
    if (schema.type === 'object') expect(Object.keys(Object(schema.properties)).length, path).toBeGreaterThan(0)
    if (schema.type === 'array') expect(schema.items, path).toBeDefined()
  }
})

test.each(each)(
  '%s: its answer is described without open objects, lists of types, references or constants',
  (_, { outputSchema }) => {
    for (const [path, schema] of schemasIn(outputSchema)) {
      expect(Array.isArray(schema.type), path).toBe(false)
      for (const keyword of ['$ref', 'const', 'oneOf', 'default']) expect(schema, path).not.toHaveProperty(keyword)
      if (schema.type === 'object') expect(Object.keys(Object(schema.properties)).length, path).toBeGreaterThan(0)
    }
  },
)

test('the list of tools takes at most 12,000 tokens of a model and 28,000 on the wire, at four characters a token', () => {
  const said = new Set<string>()
  const list = tools.map((tool) => listedTool(tool, 'safe', false, said))
  const forModel = list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const sizes = forModel.map((tool) => `${tool.name} ${JSON.stringify(tool).length / 4}`).join(', ')
  expect(JSON.stringify(forModel).length / 4, `shorten a description: ${sizes}`).toBeLessThanOrEqual(12_000)
  expect(JSON.stringify(list).length / 4).toBeLessThanOrEqual(28_000)
})

test('a list says what each field of an answer means, and the words of an enumeration, once', () => {
  const { tools: listed } = listTools({ actor: actorOf({ id: 'con_of_a_test' }, SCOPES), names: 'own' })
  const fieldAt = (path: string) =>
    path
      .replace(/\[\]|\/anyOf\/\d+/g, '')
      .split('/')
      .at(-1)
  const said = listed
    .flatMap(({ outputSchema }) => schemasIn(outputSchema))
    .flatMap(([path, schema]) =>
      ['description', 'enum'].flatMap((keyword) =>
        schema[keyword] === undefined ? [] : [JSON.stringify([fieldAt(path), keyword, schema[keyword]])],
      ),
    )
  expect(new Set(said).size).toBe(said.length)
  expect(said.length).toBeGreaterThan(200)
  expect(said).toContain('["status","enum",["paid","overdue","current","future"]]')
})
