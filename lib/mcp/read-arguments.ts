import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import type { KeyActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { type FieldFault, ServiceError } from '@/lib/core/errors'
import { sentenceOf } from '@/lib/core/faults'
import { withoutNullsWithin } from '@/lib/core/json'
import { nearestTo } from '@/lib/core/nearest'
import { dayIn, parseDay } from '@/lib/core/time'
import { notThere } from '@/lib/operations/absent'
import type { OperationCall } from '@/lib/operations/execute'
import { requireMeant, resourceOfId } from '@/lib/operations/search/meant'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'
import { propertiesOf } from './json-schema'
import { skippingInput } from './pages'
import { edgeOf, readDay } from './read-day'
import { isLeftOut, readValue } from './read-value'
import type { Tool } from './tools'

/** The key's holder and the moment of a call. */
type Ctx = { actor: KeyActor; now: Date }

/**
 * How arguments were read where they were not plain, told with the answer; `isUntrusted` when a record's name is among it. `skip` is what the
 * page before has told.
 */
export type Reading = { notes: string[]; isUntrusted: boolean; skip: number }

/** Arguments that clients of their own accord send along with a model's (n8n's MCP and agent nodes). */
const OF_CLIENTS = new Set(['toolCallId', 'tool', 'sessionId', 'action', 'chatInput'])

const CONTRACTOR = /^contractor_?id$/i

/** The arguments that are ids of records, with the kind of each. */
const RECORD_IDS = new Map(RESOURCES.map((resource) => [`${resource.singular}Id`, resource]))

/** Reports whether a value is an id of the kind that an argument takes, or the argument takes none. */
function isPlainId(name: string, value: unknown): boolean {
  const kind = RECORD_IDS.get(name)
  return kind === undefined || (typeof value === 'string' && resourceOfId(value) === kind)
}

/** Reports whether arguments need no reading beyond the tool's own schema. */
function arePlain({ input: { shape } }: Tool, values: Record<string, unknown>): boolean {
  for (const name in values)
    if (!Object.hasOwn(shape, name) || isLeftOut(values[name]) || !isPlainId(name, values[name])) return false
  return true
}

const quoted = (value: unknown): string => `“${cleanText(String(value).slice(0, 80)).replace(/[“”]/g, '’')}”`

/** The most arguments that are read one by one; no tool takes nearly as many. */
const MOST_ARGUMENTS = 100
/** The longest name that may be another spelling of an argument's. */
const LONGEST_NAME = 60

/** The argument that a name is in another spelling (`customer_id`), or names a record for (`customer`); undefined for none. */
function fieldOf({ input: { shape } }: Tool, name: string): string | undefined {
  if (Object.hasOwn(shape, name)) return name
  if (name.length > LONGEST_NAME) return undefined
  const spelled = name.toLowerCase().replace(/[^a-z\d]/g, '')
  const field = Object.keys(shape).find((each) => each.toLowerCase() === spelled)
  return field ?? [...RECORD_IDS].find(([id, { singular }]) => id in shape && singular === spelled)?.[0]
}

/** Reports whether an argument is one that the client added by itself. @throws ServiceError `bad_request` for another contractor */
function isOfClient(name: string, value: unknown, { contractorId }: KeyActor): boolean {
  if (OF_CLIENTS.has(name) || name.startsWith('_')) return true
  if (!CONTRACTOR.test(name)) return false
  if (isLeftOut(value) || value === contractorId) return true
  const message = 'is not the contractor of this key; leave it out'
  throw new ServiceError('bad_request', `${name}: ${message}`, { fields: [{ field: name, message }] })
}

/** The error or the note for an argument that a tool does not have. */
function unknown({ input: { shape } }: Tool, name: string): string {
  const fields = Object.keys(shape)
  const nearest = nearestTo(name, fields)
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `There is no argument ${quoted(name)}.${meant} There are ${fields.join(', ') || 'none'}.`
}

/** What of the arguments is known by name: by the argument's own name, the values; the names of the others. */
function sorted(tool: Tool, actor: KeyActor, values: Record<string, unknown>) {
  const known = new Map<string, unknown>()
  const others: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(tool, name)
    if (field !== undefined && (field === name || !(field in values))) known.set(field, value)
    else if (!isOfClient(name, value, actor)) others.push(name)
  }
  return { known, others }
}

/** The contractor's day, asked for once. */
function calendar({ actor, now }: Ctx): () => Promise<string> {
  let today: Promise<string> | undefined
  const ask = async () => {
    const contractor = await findContractor((await database()).orm, actor.contractorId)
    return dayIn(contractor?.timezone ?? 'UTC', now)
  }
  return () => {
    today ??= ask()
    return today
  }
}

/** Reads a value for a day; one that is none comes back as it is. */
async function readAsDay(name: string, value: unknown, today: () => Promise<string>, notes: string[]) {
  const edge = edgeOf(name)
  const text = typeof value === 'number' ? String(value) : value
  if (edge === undefined || typeof text !== 'string' || parseDay(text)) return value
  const day = readDay(text, edge, await today())
  if (day === undefined) return value
  notes.push(`${name}: ${quoted(text)} was read as ${day}.`)
  return day
}

/** Reads a value for the id of a record. @throws ServiceError when it is none, of another kind, or could be several */
async function readAsId(ctx: Ctx, tool: Tool, name: string, of: Resource, value: unknown, reading: Reading) {
  if (typeof value !== 'string' || value.trim() === '') return value
  const text = value.trim()
  const kind = resourceOfId(text)
  if (kind === of) return text
  if (kind) throw notThere(of, text, 'find_records')
  // A write to the wrong record is worse than a question.
  const certainly = tool.operation.effect === 'write'
  const { id, title } = await requireMeant(ctx, text.slice(0, 200), { field: name, of, certainly })
  reading.notes.push(`${name}: ${quoted(text)} was read as ${quoted(title)}, ${id}.`)
  reading.isUntrusted = true
  return id
}

/** A call with its input parsed, where its values are what the tool takes. */
function parsedCall(tool: Tool, call: OperationCall, reading: Reading): OperationCall {
  const parsed = tool.input.safeParse(call.values, { error: sentenceOf })
  if (!parsed.success) return call
  if (tool.pages === undefined) return { ...call, parsed: { input: parsed.data } }
  const input = skippingInput(parsed.data)
  reading.skip = input.skip
  return { ...call, parsed: { input } }
}

async function readKindly(
  tool: Tool,
  ctx: Ctx,
  given: Record<string, unknown>,
  reading: Reading,
): Promise<OperationCall> {
  const { known, others } = sorted(tool, ctx.actor, given)
  const schemas = new Map(propertiesOf(tool.readingSchema))
  const today = calendar(ctx)
  const values: Record<string, unknown> = {}
  for (const [name, value] of known) {
    const isOptional = tool.input.shape[name]?._zod.optin === 'optional'
    if (isOptional && isLeftOut(value)) continue
    const read = await readAsDay(name, readValue(value, schemas.get(name) ?? {}), today, reading.notes)
    const kind = RECORD_IDS.get(name)
    values[name] = kind ? await readAsId(ctx, tool, name, kind, read, reading) : read
  }
  const faults: FieldFault[] = []
  // Nothing of a write may be lost, and what narrows a question no more is told with its answer.
  for (const name of others)
    if (tool.operation.effect === 'write') faults.push({ field: 'arguments', message: unknown(tool, name) })
    else reading.notes.push(`${unknown(tool, name)} It was ignored.`)
  const call: OperationCall = { values, faults, schema: tool.input, whole: 'arguments' }
  return tool.pages === undefined || faults.length > 0 ? call : parsedCall(tool, call, reading)
}

/**
 * Reads a tool's arguments as a model means them. Plain ones are parsed once and that is all; others are read by what the tool's schema takes,
 * wherever nothing is lost by it, and `reading` receives what was not plain to see.
 * @throws ServiceError as `requireMeant` does, where a name is given for an id
 */
export function readArguments(
  tool: Tool,
  ctx: Ctx,
  args: unknown,
  reading: Reading,
): OperationCall | Promise<OperationCall> {
  const { length } = Object.keys(Object(args))
  if (length > MOST_ARGUMENTS) {
    const message = `are ${length}; at most ${MOST_ARGUMENTS} are read`
    throw new ServiceError('bad_request', `arguments: ${message}`, { fields: [{ field: 'arguments', message }] })
  }
  // Models write null for what they leave out, within an assembly as at the top.
  const values = Object(withoutNullsWithin(args ?? {}))
  if (arePlain(tool, values)) {
    const call = parsedCall(tool, { values, schema: tool.input, whole: 'arguments' }, reading)
    if (call.parsed) return call
  }
  return readKindly(tool, ctx, values, reading)
}
