import fc from 'fast-check'
import { contentOf, wrongBody } from './bodies'
import type { Description, Operation, Parameter, Schema } from './description'
import { edges, ODD_TEXTS, valid } from './values'

/** A request as it is sent, and why it has to be refused, where something says so. */
export type Shot = {
  method: string
  /** The path and query, as they stand in the request line. */
  target: string
  headers: [name: string, value: string][]
  body: string | Buffer | undefined
  /** The fault that it certainly has. */
  wrong: string | undefined
}

/**
 * The values of a service that requests can name: ids, tokens and cursors by the name of their parameter or field, for an operation alone
 * under its path; and keys.
 */
export type Known = { values: Record<string, string[]>; key: string; leadKey: string; otherKeys: string[] }

type Sent = { parameter: Parameter; value: string }

/** Reads a number or a truth value from a query, as JSON has it. */
function read(value: string, { type }: Schema): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Returns what can stand in a header: Node refuses the rest before it is sent. */
const asHeader = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

/** A value as part of an address. Half a surrogate has no encoding. */
const encoded = (value: string): string => encodeURIComponent(value.toWellFormed())

/** Ways to write a value that decoders take differently. */
const ENCODINGS: ((value: string) => string)[] = [
  encoded,
  (value) => encoded(value).replace(/%20/g, '+'),
  (value) => Buffer.from(value).reduce((made, byte) => `${made}%${byte.toString(16).padStart(2, '0')}`, ''),
  (value) => `${encoded(value)}%`,
  (value) => `${encoded(value)}%zz`,
  (value) => `${encoded(value)}%c0%af`,
  (value) => `${encoded(value)}%ff`,
  (value) => `%25${encoded(value)}`,
]

/** The difference between a request and one that is right: nothing, one value, one name, or the way it is written. */
type Twist =
  | { kind: 'none' }
  | { kind: 'value'; at: number; value: string }
  | { kind: 'repeat'; at: number; value: string }
  | { kind: 'unknown'; name: string; value: string }
  | { kind: 'encoding'; at: number; as: number }
  | { kind: 'key'; key: string | undefined }

const twists = ({ otherKeys }: Known): fc.Arbitrary<Twist> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'none' as const }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('value' as const),
        at: fc.nat(30),
        value: fc.constantFrom(...ODD_TEXTS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('repeat' as const),
        at: fc.nat(30),
        value: fc.constantFrom(...ODD_TEXTS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('unknown' as const),
        name: fc.constantFrom('x', '__proto__', 'limit[]', 'id', ''),
        value: fc.constantFrom(...ODD_TEXTS),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('encoding' as const),
        at: fc.nat(30),
        as: fc.nat(ENCODINGS.length - 1),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('key' as const),
        key: fc.constantFrom(undefined, 'wrong', ...otherKeys),
      }),
    },
  )

const namedIn = (values: Known['values'], path: string, name: string): string[] =>
  values[`${path} ${name}`] ?? values[name] ?? []

/** A value of a parameter: one that the service knows, one that its schema takes, or one at a limit. */
function valuesOf({ schema }: Parameter, known: string[]): fc.Arbitrary<string> {
  const made = valid(schema).map(String)
  const limits = edges(schema).map(String)
  return fc.oneof(
    { weight: 3, arbitrary: made },
    ...(known.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...known) }] : []),
    ...(limits.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...limits) }] : []),
  )
}

/** The parameters that a request has: those it needs, and a few others. */
function sentOf({ path, parameters }: Operation, { values }: Known): fc.Arbitrary<Sent[]> {
  const each = parameters.map((parameter) =>
    fc
      .tuple(valuesOf(parameter, namedIn(values, path, parameter.name)), fc.nat(2))
      .map(([value, chance]) => (parameter.required || chance === 0 ? [{ parameter, value }] : [])),
  )
  return fc.tuple(...each).map((all) => all.flat())
}

/** Requests of an operation, right and wrong ones. */
export function requestsOf(operation: Operation, known: Known, description: Description): fc.Arbitrary<Shot> {
  return fc
    .tuple(sentOf(operation, known), twists(known), contentOf(operation, known.values[`${operation.path} id`] ?? []))
    .map(([sent, twist, content]) => {
      const all = sent.map(({ parameter, value }, index) => {
        const isHere = 'at' in twist && twist.at % sent.length === index
        const given = isHere && twist.kind === 'value' ? twist.value : value
        const write = isHere && twist.kind === 'encoding' ? (ENCODINGS[twist.as] ?? encoded) : encoded
        const isLost = twist.kind === 'encoding' && isHere
        return {
          parameter,
          given,
          isLost,
          written: write(given),
          again: isHere && twist.kind === 'repeat' ? twist.value : undefined,
        }
      })
      const faults = all.flatMap(({ parameter, given, isLost }) => {
        if (isLost || parameter.in !== 'query') return []
        const fault = description.fault(parameter.schema, read(given, parameter.schema))
        return fault ? [`${parameter.name}: ${fault}`] : []
      })
      const path = all
        .filter(({ parameter }) => parameter.in === 'path')
        // An empty segment, or one that is dots, is another address.
        .reduce(
          (made, { parameter, written }) => made.replace(`{${parameter.name}}`, /^\.*$/.test(written) ? 'x' : written),
          operation.path,
        )
      const query = all
        .filter(({ parameter }) => parameter.in === 'query')
        .flatMap(({ parameter, written, again }) => [
          `${parameter.name}=${written}`,
          ...(again === undefined ? [] : [`${parameter.name}=${encoded(again)}`]),
        ])
      if (twist.kind === 'unknown') query.push(`${encoded(twist.name)}=${encoded(twist.value)}`)
      const headers = all
        .filter(({ parameter }) => parameter.in === 'header')
        .map(({ parameter, given }): [string, string] => [parameter.name, asHeader(given)])
      const own = operation.path.startsWith('/api/webhooks/') ? known.leadKey : known.key
      const key = twist.kind === 'key' ? twist.key : own
      if (key !== undefined) headers.push(['x-api-key', key])
      if (content.type) headers.push(['content-type', content.type])
      const wrong = [...faults, content.isDescribed ? wrongBody(operation, content.body, description) : undefined].find(
        Boolean,
      )
      return {
        method: operation.method,
        target: path + (query.length > 0 ? `?${query.join('&')}` : ''),
        headers,
        body: content.body,
        wrong,
      }
    })
}
