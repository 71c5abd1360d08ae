import { ServiceError } from '@/lib/core/errors'
import { mediaTypeOf } from '@/lib/core/header'
import { parseJsonObject, parseStrictValue } from '@/lib/core/json'
import { withoutMark } from '@/lib/core/text'
import { multipartFields } from './multipart'
import type { JsonObject } from './sources/define'
import { parseXmlBody } from './xml'

/** The most fields, more than any form has. */
const MOST_FIELDS = 1_000

/** The most brackets, more than any form's field names have (`fields[name][value]`). */
const MOST_BRACKETS = 8

/** Returns what is wrong with a body, as a refusal. */
export const fault = (message: string) =>
  new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }] })

const FORM = 'application/x-www-form-urlencoded'

const isJson = (text: string) => /^\s*[[{]/.test(text)
const isXml = (text: string) => /^\s*</.test(text)
/** Reports whether a text begins as an encoded form does: a name and a value, without a space. */
const isEncoded = (text: string) => /^[\w%.+[\]-]{1,200}=\S*\s*$/.test(text)

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

const LATIN = new TextDecoder('windows-1252')

/** Returns an encoded part of a form as text: its bytes as UTF-8, or else as the older encoding that forms of old pages have. */
function decoded(part: string): string {
  const text = part.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([\da-f]{2})/gi, (_, byte: string) => LATIN.decode(Uint8Array.of(Number.parseInt(byte, 16))))
  }
}

/** A form as it is sent by default (URL Standard, section 5). */
function fromEncoded(body: string): JsonObject {
  const fields = body.trim().split('&', MOST_FIELDS + 1)
  if (fields.length > MOST_FIELDS) throw fault(`has more than ${MOST_FIELDS} fields; send fewer.`)
  return fromFields(
    fields
      .filter((field) => field !== '')
      .map((field) => {
        const [name = '', ...value] = field.split('=')
        return [decoded(name), decoded(value.join('='))] as [string, string]
      }),
  )
}

/** JSON that calls itself a form, as some tools send it unless told: whole, or encoded as the name of a field. */
function fromMislabeled(body: string): unknown {
  try {
    return parseStrictValue(isJson(body) ? body : withoutMark(decoded(body), /=\s*$/))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw fault(
      `is JSON, but its Content-Type says that it is a form, and as JSON it ${error.message.replace(/^The body /, '')} Send it with Content-Type: application/json.`,
    )
  }
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

/** Reads a body by its type, and where that is missing or does not fit by what it looks like: its sender cannot be asked. */
function parse(body: string, contentType: string | null): unknown {
  const type = mediaTypeOf(contentType)
  if (type === 'multipart/form-data') return fromFields(multipartFields(body, contentType ?? ''))
  if (type === FORM && /^\s*(?:[[{]|%7B|%5B)/i.test(body) && !/^\[\w{1,80}\]=/.test(body)) return fromMislabeled(body)
  if (isJson(body)) return parseStrictValue(body)
  if (type === FORM || isEncoded(body)) return fromEncoded(body)
  if (isXml(body)) return parseXmlBody(body)
  return type === 'text/plain' ? fromLines(body) : parseStrictValue(body)
}

/**
 * The body as an object: JSON, a form's fields, XML, or labeled lines of plain text. An array of one object counts as that object.
 * @throws ServiceError `bad_request` when it is none of these, is ambiguous, or holds a text that cannot be stored
 */
export function parseBody(body: string, contentType: string | null): JsonObject {
  const value = parse(body, contentType)
  const [only, second] = Array.isArray(value) ? value : [value]
  if (second !== undefined)
    throw fault('holds several leads. Leave one of them in it, or post it to its address again.')
  if (Array.isArray(value)) return parseJsonObject(JSON.stringify(only ?? null))
  return value === null || typeof value !== 'object' ? parseJsonObject(body) : withoutNullsOf(value)
}

const withoutNullsOf = (value: object): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))

/**
 * Parses a body that may hold several leads, which only JSON can.
 * @returns undefined for any other, and for what its reader will say is wrong
 */
export function parseSeveral(body: string, contentType: string | null): unknown {
  if (!isJson(body) || /^(?:multipart|application\/x-www)/.test(mediaTypeOf(contentType))) return undefined
  try {
    return parseStrictValue(body)
  } catch {
    return undefined
  }
}
