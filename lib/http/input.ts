import { z } from 'zod'
import { type FieldFault, ServiceError } from '@/lib/core/errors'
import type { AnyOperation, Served } from '@/lib/operations/define'

/** Every query parameter some endpoint of the data API takes: sent to one that does not, it is a mistake worth naming. */
const KNOWN_PARAMETERS = [
  'contractorId',
  'limit',
  'updatedAfter',
  'pageToken',
  'status',
  'customerId',
  'projectId',
  'from',
  'to',
]

export function badRequest(fields: FieldFault[]): ServiceError {
  return new ServiceError('bad_request', fields.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    fields,
  })
}

/** The faults of an input as the client sees them, all at once. */
export function faultsOf(error: z.ZodError): FieldFault[] {
  return error.issues.map((issue) => ({ field: issue.path.join('.') || 'body', message: issue.message }))
}

function integerFields(schema: z.ZodObject): Set<string> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
  return new Set(Object.keys(properties).filter((name) => Object(properties[name]).type === 'integer'))
}

/** A value checked by a schema; @throws ServiceError `bad_request` with every faulty field named */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw badRequest(faultsOf(parsed.error))
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest([{ field: 'path', message: 'is not valid percent-encoding' }])
  }
}

/** The values of a path's `{names}`, counted from its end, so that a prefix in front of it does not matter. */
export function pathValues(template: string, path: string): [string, string][] {
  const wanted = template.split('/')
  const given = path.split('/').slice(-wanted.length)
  return wanted.flatMap((part, i) => (part.startsWith('{') ? [[part.slice(1, -1), decodeSegment(given[i] ?? '')]] : []))
}

/**
 * Makes the reader of an operation's input from a GET request: path and query, each parameter once, checked by the schema.
 * @returns a function that throws ServiceError `bad_request` with every faulty field named
 */
export function inputReader(operation: Served<AnyOperation>) {
  const integers = integerFields(operation.input)
  const isTemplated = operation.http.path.includes('{')
  const all = Object.keys(operation.input.shape)

  return (url: URL): Record<string, unknown> => {
    const supported = operation.parameters?.() ?? all
    const raw: Record<string, unknown> = {}
    const faults: FieldFault[] = []
    for (const [name, value] of url.searchParams) {
      if (!supported.includes(name)) {
        if (KNOWN_PARAMETERS.includes(name))
          faults.push({ field: name, message: `is not supported by ${operation.http.path}; leave it out` })
      } else if (name in raw) {
        faults.push({ field: name, message: 'is given more than once; send it once' })
      } else {
        raw[name] = integers.has(name) && /^-?\d{1,15}$/.test(value) ? Number(value) : value
      }
    }
    if (isTemplated) Object.assign(raw, Object.fromEntries(pathValues(operation.http.path, url.pathname)))
    const parsed = operation.input.safeParse(raw)
    if (!parsed.success) faults.push(...faultsOf(parsed.error))
    if (faults.length > 0 || !parsed.success) throw badRequest(faults)
    return parsed.data
  }
}
