import type { Description, Documented, Operation, Schema } from './description'
import type { Shot } from './requests'
import type { Answered } from './send'

/** Headers that tell clients something, which therefore are described wherever they stand. */
const TELLING =
  /^(x-(?!content-type-options|frame-options|dns-|permitted-)|ratelimit|retry-after|etag|link|location|allow|deprecation|sunset)/

const mediaType = (value = '') => value.split(';')[0]?.trim() ?? ''

function headerFaults(
  { headers: described }: Documented,
  headers: Answered['headers'],
  description: Description,
): string[] {
  const known = new Map(Object.entries(described).map(([name, header]) => [name.toLowerCase(), header.schema]))
  const unknown = Object.keys(headers).filter((name) => TELLING.test(name) && !known.has(name))
  const wrong = [...known].flatMap(([name, schema]) => {
    const value = headers[name]
    if (value === undefined) return []
    const fault = description.fault(schema, schema.type === 'integer' ? Number(value) : value)
    return fault ? [`the header ${name} is not as described: ${fault}`] : []
  })
  const missing = known.has('x-request-id') && !headers['x-request-id'] ? ['the answer has no X-Request-Id'] : []
  return [...unknown.map((name) => `the header ${name} is not described`), ...wrong, ...missing]
}

/** The schema of a record that an export has a line for: that of the list beside it. */
function lineSchema({ id }: Operation, { operations }: Description): Schema {
  const list = operations.find((each) => each.id === id.replace('export_', 'list_'))
  const page = Object(list?.responses['200']?.content['application/json']?.schema)
  return page.properties.items.items
}

/** Reports whether records have only the `fields` asked for, so nothing else is required of them. */
const isPart = ({ target }: Shot): boolean => /[?&]fields=/.test(target)

function bodyFaults(operation: Operation, shot: Shot, answered: Answered, description: Description): string[] {
  const { headers, body, status } = answered
  const content = operation.responses[status]?.content ?? {}
  const types = Object.keys(content)
  if (types.length === 0) return body === '' ? [] : [`a body, where none is described: ${body.slice(0, 200)}`]
  const type = mediaType(headers['content-type'])
  const schema = content[type]?.schema
  if (!schema) return [`the media type ${type}, where ${types.join(', ')} is described`]
  if (type === 'application/x-ndjson') {
    const lines = body.trimEnd().split('\n').slice(0, -1).slice(-20)
    return lines
      .flatMap((line) => description.fault(lineSchema(operation, description), JSON.parse(line)) ?? [])
      .slice(0, 1)
  }
  if (type !== 'application/json' || (isPart(shot) && status === 200)) return []
  const fault = description.fault(schema, JSON.parse(body))
  return fault ? [fault] : []
}

/** Returns what an answer has that the description does not say; nothing where all is as described. */
export function faultsOf(operation: Operation, shot: Shot, answered: Answered, description: Description): string[] {
  const { status, headers, body } = answered
  const { wrong } = shot
  const documented = operation.responses[status]
  if (status >= 500) return [`${status}: ${body.slice(0, 300)}`]
  if (!documented) return [`the status ${status} is not described: ${body.slice(0, 300)}`]
  if (wrong && status < 400) return [`${status}, although this is wrong with it: ${wrong}`]
  return [...headerFaults(documented, headers, description), ...bodyFaults(operation, shot, answered, description)].map(
    (fault) => `${status}: ${fault}`,
  )
}
