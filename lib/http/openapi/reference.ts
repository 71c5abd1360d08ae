import { derived } from '@/lib/core/shared'
import { openApiDocument } from './document'
import { type FieldLine, fieldLines } from './field-lines'
import { documented } from './operation'
import { type Json, objectOf } from './schema'

/** An answer of an operation; `example` is indented JSON. */
export type ReferenceAnswer = { status: string; description: string; fields: FieldLine[]; example: string | undefined }

/** An operation as the explorer shows it, read from the OpenAPI document. */
export type ReferenceOperation = {
  id: string
  title: string
  description: string
  method: string
  /** The operation's address on this deployment, with `{name}` where a value belongs. */
  url: string
  /** The same below any host that serves the API: `/api/v1/invoices/{id}`. */
  path: string
  needsKey: boolean
  /** The parameters as one object schema. */
  parameters: Json
  inPath: string[]
  body: { type: string; example: string; fields: FieldLine[] } | undefined
  answers: ReferenceAnswer[]
}

/** Operations that belong together, in the order of the document. */
export type ReferenceGroup = { name: string; operations: ReferenceOperation[] }

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const indented = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value, null, 2))

/** Returns a resolver of the document's `$ref`; anything else is itself. */
function resolverOf(document: Json) {
  return (value: unknown): Json => {
    const { $ref, ...own } = objectOf(value)
    if (typeof $ref !== 'string') return own
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => objectOf(at)[name], document)
    return objectOf(found)
  }
}

type Resolve = ReturnType<typeof resolverOf>

function parametersOf(given: Json[]): Json {
  const properties = given.map(({ name, description, schema }) => [textOf(name), { ...objectOf(schema), description }])
  const required = given.filter((parameter) => parameter.required === true).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function bodyOf(requestBody: unknown, resolve: Resolve): ReferenceOperation['body'] {
  const [first] = Object.entries(objectOf(objectOf(requestBody).content))
  if (!first) return undefined
  const [type, content] = first
  const { schema, example } = objectOf(content)
  return { type, example: indented(example) ?? '{}', fields: fieldLines(schema, resolve) }
}

const answersOf = (responses: unknown, resolve: Resolve): ReferenceAnswer[] =>
  Object.entries(objectOf(responses)).map(([status, given]) => {
    const { description, content } = resolve(given)
    const { schema, example } = objectOf(objectOf(content)['application/json'])
    return { status, description: textOf(description), fields: fieldLines(schema, resolve), example: indented(example) }
  })

function operationOf(path: string, method: string, operation: Json, document: Json): ReferenceOperation {
  const resolve = resolverOf(document)
  const [ownServer] = listOf(operation.servers)
  const [server] = listOf(document.servers)
  const parameters = listOf(operation.parameters)
  return {
    id: textOf(operation.operationId),
    title: textOf(operation.summary),
    description: textOf(operation.description),
    method: method.toUpperCase(),
    url: textOf((ownServer ?? server)?.url) + path,
    path: ownServer ? path : `/api/v1${path}`,
    needsKey: listOf(operation.security).length > 0,
    parameters: parametersOf(parameters),
    inPath: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => textOf(name)),
    body: bodyOf(operation.requestBody, resolve),
    answers: answersOf(operation.responses, resolve),
  }
}

function groupsOf(document: Json): ReferenceGroup[] {
  const groups = listOf(document.tags).map(({ name }) => ({
    name: textOf(name),
    operations: [] as ReferenceOperation[],
  }))
  for (const [path, methods] of Object.entries(objectOf(document.paths)))
    for (const [method, given] of Object.entries(objectOf(methods))) {
      const operation = objectOf(given)
      const [tag] = Array.isArray(operation.tags) ? operation.tags : []
      groups.find(({ name }) => name === tag)?.operations.push(operationOf(path, method, operation, document))
    }
  return groups.filter(({ operations }) => operations.length > 0)
}

/** The reference of this deployment. */
export const apiReference: () => ReferenceGroup[] = derived(() => groupsOf(openApiDocument(documented(), '3.1')))
