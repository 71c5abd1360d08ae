import fc from 'fast-check'
import type { Description, Operation, Schema } from './description'
import { edges, ODD_VALUES, valid } from './values'

/** A body of a media type, about one of the given ids where it names one: right, right but for one value, or something else. */
function bodyOf(type: string, schema: Schema, example: unknown, ids: string[]): fc.Arbitrary<string | Buffer> {
  const written = (value: unknown): string => {
    if (type === 'application/x-www-form-urlencoded')
      return new URLSearchParams(Object.entries(Object(value)).map(([name, each]) => [name, String(each)])).toString()
    return typeof value === 'string' && schema.type === 'string' ? value : (JSON.stringify(value) ?? '')
  }
  const properties: Record<string, Schema> = Object(schema.properties)
  const names = [...Object.keys(properties), 'unknown', '__proto__']
  const examples = ids.map((id) => fc.constant({ ...Object(example), id }))
  const right = fc.oneof(fc.constant(example), valid(schema), ...examples)
  const bent = fc.tuple(right, fc.constantFrom(...names), fc.nat()).map(([value, name, pick]) => {
    const odd = [...edges(properties[name] ?? {}), ...ODD_VALUES, undefined]
    return JSON.parse(JSON.stringify({ ...Object(value), [name]: odd[pick % odd.length] }) ?? 'null')
  })
  const raw = fc.constantFrom<string | Buffer>(
    ...[
      '',
      '{',
      '[]',
      'null',
      '"text"',
      '0',
      '{}',
      '\ufeff{}',
      '{"a":1,"a":2}',
      '{"a":1e999}',
      '{"a":"\\ud800"}',
      'a,b\n1,2',
    ],
    ...['['.repeat(5000), '{"a":'.repeat(2000), ' '.repeat(70_000), `{"notes":"${'x'.repeat(300_000)}"}`],
    ...[
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('{"firstName":"\xff"}', 'latin1'),
      Buffer.from([0x1f, 0x8b, 8, 0]),
    ],
  )
  return fc.oneof(
    { weight: 3, arbitrary: right.map(written) },
    { weight: 4, arbitrary: schema.type === 'object' ? bent.map(written) : right.map(written) },
    { weight: 2, arbitrary: raw },
  )
}

const TYPES = ['application/json', 'application/json; charset=utf-16', 'text/html', 'multipart/form-data', 'x', '']

/** A body with its media type: one that is described, now and then another. */
export function contentOf(
  { body }: Operation,
  ids: string[],
): fc.Arbitrary<{ type?: string; body?: string | Buffer; isDescribed: boolean }> {
  if (!body) return fc.constant({ isDescribed: true })
  const each = Object.entries(body).map(([type, { schema = {}, example }]) =>
    bodyOf(type, schema, example, ids).map((made) => ({ type, body: made, isDescribed: true })),
  )
  const other = fc
    .tuple(fc.oneof(...each), fc.constantFrom(...TYPES))
    .map(([content, type]) => ({ ...content, type, isDescribed: false }))
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(...each) }, { weight: 1, arbitrary: other })
}

/** A field that is null counts as left out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}

/** Returns why a JSON body has to be refused; undefined where nothing says so. */
export function wrongBody({ body: described }: Operation, body: string | Buffer | undefined, description: Description) {
  const schema = described?.['application/json']?.schema
  if (!schema || Object.keys(described ?? {}).length > 1) return undefined
  try {
    const fault = description.fault(schema, withoutNulls(JSON.parse(String(body))))
    return fault && `its body: ${fault}`
  } catch {
    return 'its body is not JSON'
  }
}
