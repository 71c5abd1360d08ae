import { ServiceError } from '@/lib/core/errors'
import { parseJsonObject, parseStrictValue } from '@/lib/core/json'
import { multipartFields } from './multipart'
import type { JsonObject } from './sources/define'

/** More leads than any sender puts into one request. */
const MOST_LEADS = 100

/** More fields than any form has. */
const MOST_FIELDS = 1_000

/** Deeper than any form names its fields (`fields[name][value]`). */
const MOST_BRACKETS = 8

const fault = (message: string) =>
  new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }] })

/** The media type of a content type, in lower case; empty without one. */
const typeOf = (contentType: string | null) => (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const isJson = (text: string) => /^\s*[[{]/.test(text)

type Nested = Map<string, Nested | string[]>

/** Puts a field where the brackets of its name say: `fields[name][value]` stands under `fields`, then `name`. */
function put(fields: Nested, name: string, value: string): void {
  const path = /^[^[\]]+(?:\[[^[\]]*\])+$/.test(name) ? name.replaceAll(']', '').split('[') : [name]
  const names = path.length > 1 ? path.filter((part) => part !== '') : path
  if (names.length > MOST_BRACKETS) throw fault(`has a field with more than ${MOST_BRACKETS} brackets in its name.`)
  let into = fields
  for (const part of names.slice(0, -1)) {
    const inner = into.get(part)
    const next: Nested = inner instanceof Map ? inner : new Map()
    if (inner !== next) into.set(part, next)
    into = next
  }
  const last = names.at(-1) ?? name
  const known = into.get(last)
  if (Array.isArray(known)) known.push(value)
  else into.set(last, [value])
}

const objectOf = (fields: Nested): JsonObject =>
  Object.fromEntries(
    [...fields].map(([name, value]) => {
      if (value instanceof Map) return [name, objectOf(value)]
      return [name, value.length === 1 ? value[0] : value]
    }),
  )

/** A form's fields as an object. A field that is repeated has an array. */
function fromFields(fields: Iterable<[string, string]>): JsonObject {
  const nested: Nested = new Map()
  for (const [name, value] of fields) put(nested, name, value)
  // By way of JSON, so that what cannot be stored is refused in one place.
  return parseJsonObject(JSON.stringify(objectOf(nested)))
}

/** A form as it is sent by default (URL Standard, section 5). */
function fromEncoded(body: string): JsonObject {
  const fields = body.split('&', MOST_FIELDS + 1)
  if (fields.length > MOST_FIELDS) throw fault(`has more than ${MOST_FIELDS} fields; send fewer.`)
  return fromFields(new URLSearchParams(body))
}

const MOST_LABEL = 80

/** Lines such as `Phone: 615 555 0142` as fields; lines without a label continue the one before, or are the message. */
function fromLines(text: string): JsonObject {
  const fields: { name: string; lines: string[] }[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    const isLabeled = colon > 0 && colon <= MOST_LABEL && !line.startsWith('//', colon + 1)
    const rest = (isLabeled ? line.slice(colon + 1) : line).trim()
    const last = fields.at(-1)
    if (isLabeled) fields.push({ name: line.slice(0, colon).trim(), lines: [rest] })
    else if (last) last.lines.push(rest)
    else if (rest !== '') fields.push({ name: 'message', lines: [rest] })
  }
  return fromFields(fields.map(({ name, lines }) => [name, lines.join('\n').trim()]))
}

function parse(body: string, contentType: string | null): unknown {
  const type = typeOf(contentType)
  if (type === 'application/x-www-form-urlencoded') return fromEncoded(body)
  if (type === 'multipart/form-data') return fromFields(multipartFields(body, contentType ?? ''))
  if (type === 'text/plain' && !isJson(body)) return fromLines(body)
  return parseStrictValue(body)
}

/**
 * The body as an object: JSON, a form's fields, or labeled lines of plain text. An array of one object counts as that object.
 * @throws ServiceError `bad_request` when it is none of these, is ambiguous, or holds a text that cannot be stored
 */
export function parseBody(body: string, contentType: string | null): JsonObject {
  const value = parse(body, contentType)
  const [only, second] = Array.isArray(value) ? value : [value]
  if (second !== undefined) throw fault('holds several leads; each is read by itself when they are posted.')
  if (Array.isArray(value)) return parseJsonObject(JSON.stringify(only ?? null))
  return value === null || typeof value !== 'object' ? parseJsonObject(body) : withoutNullsOf(value)
}

const withoutNullsOf = (value: object): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))

/**
 * The leads that a body holds, each as a body: several only where it is a JSON array of several.
 * @throws ServiceError `bad_request` when there are more than 100
 */
export function bodiesIn(body: string, contentType: string | null): string[] {
  if (!/^\s*\[/.test(body) || /^(?:multipart|application\/x-www)/.test(typeOf(contentType))) return [body]
  let value: unknown
  try {
    value = parseStrictValue(body)
  } catch {
    // The reader says what is wrong with it.
    return [body]
  }
  if (!Array.isArray(value) || value.length < 2) return [body]
  if (value.length > MOST_LEADS) throw fault(`holds ${value.length} leads; send at most ${MOST_LEADS} at once.`)
  return value.map((lead) => JSON.stringify(lead))
}
