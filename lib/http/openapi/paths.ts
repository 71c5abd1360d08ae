import { type AnyOperation, type PostBinding, type Served, type SuccessAnswer, scopesOf } from '@/lib/operations/define'
import { resources } from '@/lib/resources/registry'
import { errorsOf } from './errors'
import { headerRefs, RATE_HEADERS } from './headers'
import { type Edition, type Json, jsonSchema, pascal, ref } from './schema'

type Described = Served<AnyOperation>

function parametersOf(operation: Described, edition: Edition): Json[] {
  const schema = jsonSchema(operation.input, edition, 'input')
  const properties: Record<string, Json> = Object(schema.properties)
  const all = operation.parameters?.() ?? Object.keys(properties)
  const supported =
    operation.http.method === 'GET' ? all : all.filter((name) => operation.http.path.includes(`{${name}}`))
  return supported.map((name) => {
    const { description, ...rest } = properties[name] ?? {}
    const inPath = operation.http.path.includes(`{${name}}`)
    return { name, in: inPath ? 'path' : 'query', required: inPath, description, schema: rest }
  })
}

/** List items and single records share one named schema, so that generated clients have one type for each. */
function outputSchema(operation: Described, edition: Edition): Json {
  const full = jsonSchema(operation.output, edition, 'output')
  const resource = Object.values(resources).find(
    ({ name }) => operation.http.path === `/${name}` || operation.http.path === `/${name}/{id}`,
  )
  if (!resource) return full
  const item = ref('schemas', pascal(resource.singular))
  if (operation.http.path.includes('{')) return item
  return { ...full, properties: { ...Object(full.properties), items: { type: 'array', items: item } } }
}

function requestBody(binding: PostBinding, input: AnyOperation['input'], edition: Edition): Json {
  const { types, bodySchema, bodyExample, body } = binding
  const schema = jsonSchema(body === 'json' ? input : (bodySchema ?? input), edition, 'input')
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema, example: bodyExample }])) }
}

function successes(operation: Described, edition: Edition): Json {
  const headers = headerRefs(['X-Request-Id', ...(operation.limit ? RATE_HEADERS : [])])
  const described = (answers: Record<number, SuccessAnswer>): Json =>
    Object.fromEntries(
      Object.entries(answers).map(([status, { description, schema, example }]) => {
        const content = { schema: jsonSchema(schema, edition, 'output'), example }
        return [status, { description, headers, content: { 'application/json': content } }]
      }),
    )
  if (operation.http.method === 'POST') return described(operation.http.answers)
  const content = { schema: outputSchema(operation, edition), example: operation.example }
  return {
    200: { description: 'Success', headers, content: { 'application/json': content } },
    ...described(operation.http.others ?? {}),
  }
}

function tagOf({ http, name }: Described): string {
  if (http.path.includes('/leads/')) return 'leads'
  const isOfService = http.at === 'root' || name.includes('metadata') || name.includes('openapi')
  return isOfService ? 'service' : (http.path.split('/')[1] ?? 'service')
}

/** One operation as the document has it. */
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
    responses: { ...successes(operation, edition), ...errorsOf(operation) },
  }
}
