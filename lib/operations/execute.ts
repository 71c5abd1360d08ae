import type * as z from 'zod'
import type { Actor } from '@/lib/auth/actor'
import { requireScopes } from '@/lib/auth/require'
import { type FieldFault, ServiceError, toServiceError } from '@/lib/core/errors'
import { faultsOf, sentenceOf } from '@/lib/core/faults'
import { parseDay, parseInstant } from '@/lib/core/time'
import { rateLimited } from '@/lib/limits/policies'
import type { Verdict } from '@/lib/limits/window'
import { afterWrite } from '@/lib/sync/webhooks/after-write'
import { requireAccess, requireRecent } from './access'
import {
  type About,
  type AnyOperation,
  type Context,
  type Gone,
  type Incoming,
  JsonText,
  type Operation,
  type Received,
  RUN,
  Streamed,
} from './define'
import { hasTerms, type ReportOwnLimit, requireTerms } from './terms'

/** Two fields that bound the same thing: `from` and `to`, `dueFrom` and `dueTo`, `minAmount` and `maxAmount`. */
type Range = [first: string, last: string]

const PARTNERS: [begins: RegExp, partner: string][] = [
  [/^from$/, 'to'],
  [/From$/, 'To'],
  [/^min(?=[A-Z])/, 'max'],
]

const made = new WeakMap<z.ZodObject, Range[]>()

/** Returns the ranges among the fields of an input, made once for each. */
function rangesOf(schema: z.ZodObject): Range[] {
  const known = made.get(schema)
  if (known) return known
  const ranges = Object.keys(schema.shape).flatMap((first): Range[] => {
    const [begins, partner = ''] = PARTNERS.find(([each]) => each.test(first)) ?? []
    const last = begins && first.replace(begins, partner)
    return last && last in schema.shape ? [[first, last]] : []
  })
  made.set(schema, ranges)
  return ranges
}

const DAY_MS = 86_400_000

/** Returns a bound as a number, a day as its first or its last moment; undefined for what is neither a number nor a date. */
function boundOf(given: unknown, end: 'first' | 'last'): number | undefined {
  if (typeof given === 'number') return given
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const day = parseDay(given)
  if (day) return day.getTime() + (end === 'last' ? DAY_MS - 1 : 0)
  const number = Number(given)
  return Number.isNaN(number) ? parseInstant(given)?.getTime() : number
}

/** Returns what is wrong with ranges that end before they begin: whoever asks for one would take the empty answer for a true one. */
function reversedRanges(schema: z.ZodObject, values: unknown): FieldFault[] {
  const given: Record<string, unknown> = Object(values)
  return rangesOf(schema).flatMap(([first, last]): FieldFault[] => {
    const [from, to] = [boundOf(given[first], 'first'), boundOf(given[last], 'last')]
    if (from === undefined || to === undefined || from <= to) return []
    return [{ field: first, message: `${given[first]} is beyond ${last}, ${given[last]}; exchange the two` }]
  })
}

/** The actor an operation runs for, and the known facts about the request. Only public operations may lack an `actor`. */
export type Caller = {
  actor?: Actor | undefined
  now: Date
  received?: Received
  incoming?: Incoming
  gone?: Gone
  /**
   * The address the request comes from, used to check a key's allowed addresses and own limit. Absent where the whole message was
   * already checked.
   */
  address?: string
  /** The limiter's decision for this call, when it is counted by key. */
  counted?: Promise<Verdict | undefined> | undefined
  /** Reports the state of the key's own limit, for an interface that shows it. */
  reportOwnLimit?: ReportOwnLimit
}

/** The caller's unparsed input. */
export type OperationCall = {
  values: unknown
  /** Errors that a schema cannot detect, such as a parameter sent twice. */
  faults?: FieldFault[]
  /** Parses the values when an interface accepts less than the operation: a tool rejects unknown arguments. */
  schema?: z.ZodObject
  /** The name of the whole input in an error that belongs to no field. */
  whole: 'body' | 'input' | 'arguments'
  /** The earlier result of parsing the values, where the same are given again. Nobody changes it. */
  parsed?: { input: unknown }
}

/** Reads the caller's input, once access is granted. */
type Read = () => OperationCall | Promise<OperationCall>

/** A checked answer: JSON text with exactly the fields of the output schema, its HTTP status, and what is known about it. */
export type Executed = { text: string; status: number; about: About }

const NOTHING_ABOUT: About = {}

/** Returns the known facts of an answer beside its text. */
function aboutOf({ http }: AnyOperation, result: unknown): About {
  if (result instanceof JsonText) return result.about
  return http?.method === 'PUT' ? { location: http.locationOf(result) } : NOTHING_ABOUT
}

/** Parses the input. @throws ServiceError `bad_request` with every invalid field */
function parse(operation: AnyOperation, given: OperationCall): unknown {
  if (given.parsed) return given.parsed.input
  const { values, faults: found = [], schema = operation.input, whole } = given
  const parsed = schema.safeParse(values, { error: sentenceOf })
  const faults = parsed.success ? [...found, ...reversedRanges(schema, values)] : found
  if (parsed.success && faults.length === 0) {
    given.parsed = { input: parsed.data }
    return parsed.data
  }
  const fields = parsed.success ? faults : [...faults, ...faultsOf(parsed.error, whole)]
  throw new ServiceError('bad_request', fields.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    fields,
  })
}

async function run(operation: AnyOperation, caller: Caller, read: Read): Promise<unknown> {
  const { actor, address, counted, reportOwnLimit } = caller
  const verdict = counted && (await counted)
  if (verdict?.allowed === false) throw rateLimited(verdict, 'requests in a minute to this endpoint')
  if (actor?.kind === 'key' && address !== undefined && hasTerms(actor))
    await requireTerms(actor, address, reportOwnLimit)
  requireAccess(operation, actor)
  const given = read()
  const input = parse(operation, given instanceof Promise ? await given : given)
  if (actor && operation.alsoNeeds) requireScopes(actor, operation.alsoNeeds(input), 'input')
  if (actor && operation.proof) await requireRecent(operation, { actor, now: caller.now }, input)
  return await operation[RUN](caller, input)
}

/** Checks that what streams is taken as a stream, and nothing else. @throws Error otherwise, because only our own code decides that */
function requireStreamed({ name }: AnyOperation, result: unknown, as: string): Streamed {
  if (result instanceof Streamed && as === 'stream') return result
  throw new Error(`${name} was run as ${as}, which its answer is not`)
}

/** The parameter of {@link execute}'s second signature; the first takes an object. */
const isReader = (input: unknown): input is Read => typeof input === 'function'

/**
 * Runs an operation; there is no other way to. Order: the limit per key, the key's terms, role and scopes, input, run, output. An
 * operation that asks for it is informed when a request whose body is known is refused.
 * @throws ServiceError `rate_limited`, `forbidden`, `bad_request` with every invalid field, or what the operation throws
 */
export async function execute<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  caller: Context,
  input: z.input<I>,
): Promise<z.output<O>>
/** Returns text that is sent unchanged, for an interface that reads the input itself: `read` is called once access is granted. */
export async function execute(operation: AnyOperation, caller: Caller, read: Read, as: 'text'): Promise<Executed>
/** Returns what is to be streamed. @throws Error for an operation that streams nothing */
export async function execute(operation: AnyOperation, caller: Caller, read: Read, as: 'stream'): Promise<Streamed>
export async function execute(
  operation: AnyOperation,
  caller: Caller,
  input: unknown,
  as: 'text' | 'data' | 'stream' = 'data',
): Promise<unknown> {
  const read = isReader(input) ? input : (): OperationCall => ({ values: input, whole: 'input' })
  try {
    const result = await run(operation, caller, read)
    if (operation.effect === 'write') afterWrite()
    if (result instanceof Streamed || as === 'stream') return requireStreamed(operation, result, as)
    if (as === 'data') return operation.output.parse(result instanceof JsonText ? JSON.parse(result.text) : result)
    const text = result instanceof JsonText ? result.text : JSON.stringify(operation.output.parse(result))
    return { text, status: operation.http?.statusOf?.(result) ?? 200, about: aboutOf(operation, result) }
  } catch (error) {
    const { received } = caller
    if (received && operation.onRefused) await operation.onRefused({ ...caller, received }, toServiceError(error))
    throw error
  }
}
