import * as z from 'zod'
import { type FieldFault, ServiceError } from '@/lib/core/errors'
import type { AnyOperation, Served } from '@/lib/operations/define'
import type { OperationCall } from '@/lib/operations/execute'
import { LIST_PARAMETERS } from '@/lib/operations/lists'

function integerFields(schema: z.ZodObject): Set<string> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
  return new Set(Object.keys(properties).filter((name) => Object(properties[name]).type === 'integer'))
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    const message = 'is not valid percent-encoding'
    throw new ServiceError('bad_request', `path: ${message}`, { fields: [{ field: 'path', message }] })
  }
}

/** Returns the values of a path's `{names}`, counted from its end, so that a prefix does not matter. */
export function pathValues(template: string, path: string): [string, string][] {
  const wanted = template.split('/')
  const given = path.split('/').slice(-wanted.length)
  return wanted.flatMap((part, i) => (part.startsWith('{') ? [[part.slice(1, -1), decodeSegment(given[i] ?? '')]] : []))
}

/**
 * Returns a function that reads an operation's input from a request's path and query, each parameter once.
 * @param elsewhere fields that the query does not give
 */
export function inputReader(operation: Served<AnyOperation>, elsewhere: readonly string[] = []) {
  const integers = integerFields(operation.input)
  const isTemplated = operation.http.path.includes('{')
  const all = Object.keys(operation.input.shape).filter((name) => !elsewhere.includes(name))

  return (url: URL): OperationCall => {
    const supported = operation.parameters?.() ?? all
    const values: Record<string, unknown> = {}
    const faults: FieldFault[] = []
    const take = (name: string, value: string) => {
      values[name] = integers.has(name) && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    }
    for (const [name, value] of url.searchParams) {
      if (supported.includes(name) && !(name in values)) take(name, value)
      else if (supported.includes(name)) faults.push({ field: name, message: 'is given more than once; send it once' })
      // A parameter that another endpoint of the data API accepts is a mistake worth reporting.
      else if (LIST_PARAMETERS.includes(name))
        faults.push({ field: name, message: `is not supported by ${operation.http.path}; leave it out` })
    }
    if (isTemplated) Object.assign(values, Object.fromEntries(pathValues(operation.http.path, url.pathname)))
    return { values, faults, whole: 'input' }
  }
}
