import {
  type AnyOperation,
  type GetBinding,
  type PostBinding,
  type PutBinding,
  type Served,
  type SuccessAnswer,
  scopesOf,
} from '@/lib/operations/define'
import { PARAMETER_FORMS } from '@/lib/operations/list-input'
import { resources } from '@/lib/resources/registry'
import { errorsOf } from './errors'
import { CORS_HEADERS, headerRefs, RATE_HEADERS, VERSION_HEADERS } from './headers'
import { schemaOf } from './records'
import { type Edition, type Json, jsonSchema, ref } from './schema'

type Described = Served<AnyOperation>

/** A list of values of an enumeration, which a query carries as one text with commas. */
function asText(schema: Json): Json {
  const { enum: values } = Object(Object(schema).items)
  if (!Array.isArray(values)) return schema
  const one = `(${values.join('|')})`
  return { type: 'string', pattern: `^${one}(,${one})*$`, maxLength: values.join(',').length }
}

function parametersOf(operation: Described, edition: Edition): Json[] {
  const schema = jsonSchema(operation.input, edition, 'input')
  const properties: Record<string, Json> = Object(schema.properties)
  const all = operation.parameters?.() ?? Object.keys(properties)
  const { http } = operation
  const headers = http.method === 'PUT' ? http.headers : {}
  const supported = http.method === 'POST' ? all.filter((name) => http.path.includes(`{${name}}`)) : all
  return supported.map((name) => {
    const { description, ...rest } = properties[name] ?? {}
    const header = headers[name]
    const form = PARAMETER_FORMS[name]
    // A choice has the types of its branches, and none beside them.
    const schema = asText(form && 'anyOf' in form ? form : { ...rest, ...form })
    if (header !== undefined) return { name: header, in: 'header', required: false, description, schema }
    const inPath = http.path.includes(`{${name}}`)
    return { name, in: inPath ? 'path' : 'query', required: inPath, description, schema }
  })
}

/** Returns the output schema. List items and single records share one named schema, so that generated clients have one type for each. */
function outputSchema(operation: Described, edition: Edition): Json {
  const full = jsonSchema(operation.output, edition, 'output')
  const resource = Object.values(resources).find(
    ({ name }) => operation.http.path === `/${name}` || operation.http.path === `/${name}/{id}`,
  )
  if (!resource) return full
  const item = ref('schemas', schemaOf(resource))
  if (operation.http.path.includes('{')) return item
  return { ...full, properties: { ...Object(full.properties), items: { type: 'array', items: item } } }
}

function requestBody(binding: PostBinding, input: AnyOperation['input'], edition: Edition): Json {
  const { types, bodySchema, bodyExample, body } = binding
  const schema = jsonSchema(body === 'json' ? input : (bodySchema ?? input), edition, 'input')
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema, example: bodyExample }])) }
}

/** A body that is a file. */
function fileBody({ types, bodyText, bodyExample }: PutBinding): Json {
  const content = { schema: { type: 'string', format: 'binary' }, example: bodyExample }
  return { required: true, description: bodyText, content: Object.fromEntries(types.map((type) => [type, content])) }
}

/** An answer that is streamed, in each of its media types. */
function streamedSuccess(
  streams: NonNullable<GetBinding['streams']>[keyof NonNullable<GetBinding['streams']>][],
  headers: Json,
  edition: Edition,
): Json {
  const content = streams.map(({ type, schema, description, example }) => [
    type,
    { schema: { ...jsonSchema(schema, edition, 'output'), description }, example },
  ])
  const withCursor = { ...headers, ...headerRefs(['X-Changes-Cursor']) }
  return { 200: { description: 'Success', headers: withCursor, content: Object.fromEntries(content) } }
}

function successes(operation: Described, edition: Edition): Json {
  const always = [
    'X-Request-Id',
    ...(operation.limit ? RATE_HEADERS : []),
    ...(operation.access === 'public' ? CORS_HEADERS : []),
    ...(operation.http.method === 'PUT' ? ['Location'] : []),
  ]
  const headers = headerRefs(always)
  const described = (answers: Record<number, SuccessAnswer>): Json =>
    Object.fromEntries(
      Object.entries(answers).map(([status, { description, schema, example }]) => {
        const content = { schema: jsonSchema(schema, edition, 'output'), example }
        return [status, { description, headers, content: { 'application/json': content } }]
      }),
    )
  if (operation.http.method !== 'GET') return described(operation.http.answers)
  const { streams } = operation.http
  if (streams) return streamedSuccess(Object.values(streams), headers, edition)
  const content = { schema: outputSchema(operation, edition), example: operation.example }
  const versioned = operation.http.versioned === true
  const told = versioned ? headerRefs([...always, ...VERSION_HEADERS]) : headers
  return {
    200: { description: 'Success', headers: told, content: { 'application/json': content } },
    ...(versioned ? { 304: { description: 'You have this version already (`If-None-Match`)', headers: told } } : {}),
    ...described(operation.http.others ?? {}),
  }
}

function tagOf({ http, name }: Described): string {
  if (http.path.includes('/leads/')) return 'leads'
  if (http.path.startsWith('/webhook')) return 'webhooks'
  const isOfService = http.at === 'root' || name.includes('metadata') || name.includes('openapi')
  return isOfService ? 'service' : (http.path.split('/')[1] ?? 'service')
}

/** Describes one operation as the document has it. */
export function describeOperation(operation: Described, edition: Edition, rootUrl: string): Json {
  const { http, access, description } = operation
  const isPublic = access === 'public'
  const scopes = scopesOf(operation).map((scope) => `\`${scope}\``)
  return {
    operationId: operation.name,
    summary: operation.title,
    description:
      description + (scopes.length > 0 ? ` Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(', ')}.` : ''),
    tags: [tagOf(operation)],
    ...(operation.deprecation ? { deprecated: true } : {}),
    ...(http.at === 'root' ? { servers: [{ url: rootUrl }] } : {}),
    security: isPublic
      ? []
      : [{ apiKey: [] }, { bearer: [] }, ...(http.method === 'POST' && http.lenientKey ? [{ basic: [] }] : [])],
    parameters: parametersOf(operation, edition),
    ...(http.method === 'POST' ? { requestBody: requestBody(http, operation.input, edition) } : {}),
    ...(http.method === 'PUT' ? { requestBody: fileBody(http) } : {}),
    responses: { ...successes(operation, edition), ...errorsOf(operation) },
  }
}
