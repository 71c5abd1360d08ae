import { baseUrls, env } from '@/lib/core/env'
import { ERRORS, type ErrorCode } from '@/lib/core/errors'
import { SERVICE } from '@/lib/core/service'
import type { AnyOperation } from '@/lib/operations/define'
import { resources } from '@/lib/resources/registry'
import { type Edition, type Json, jsonSchema } from './schema'

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

const HEADERS: Record<string, Json> = {
  'X-Request-Id': { description: 'Names this request; quote it when you ask us about it', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests allowed per minute', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left at this moment', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When the oldest counted request leaves the minute, epoch seconds',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the next request', schema: { type: 'integer', minimum: 1 } },
}

const ERROR_TEXT: Partial<Record<ErrorCode, { name: string; description: string; error: string }>> = {
  bad_request: {
    name: 'BadRequest',
    description: 'A parameter cannot be used; `fields` names each',
    error: 'limit: must be a whole number from 1 to 100',
  },
  unauthorized: {
    name: 'Unauthorized',
    description: 'The API key is missing or not valid',
    error: 'A valid API key is needed. Send it as `x-api-key` or `Authorization: Bearer`.',
  },
  forbidden: {
    name: 'Forbidden',
    description: 'The key lacks the scope, or belongs to another contractor',
    error: 'This key lacks the scope read:invoices. Use a key that has it, or ask your administrator for one.',
  },
  not_found: {
    name: 'NotFound',
    description: 'There is no such record for this contractor',
    error: 'There is no invoice with this id. Take ids from /invoices.',
  },
  rate_limited: {
    name: 'RateLimited',
    description: 'Too many requests; wait for `Retry-After` seconds',
    error: 'More than 10 requests in a minute to this endpoint. Wait 12 s, then go on.',
  },
  internal: {
    name: 'Internal',
    description: 'Our fault; safe to try again with backoff',
    error:
      'Something went wrong on our side. It is safe to try again in a moment; if it persists, send us the request id.',
  },
}

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

function headerRefs(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
}

function errorResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERROR_TEXT).map(([code, { name, description, error }]) => {
      const headers = ['X-Request-Id', ...RATE_HEADERS, ...(code === 'rate_limited' ? ['Retry-After'] : [])]
      const fields =
        code === 'bad_request' ? { fields: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }] } : {}
      const example = { error, code, requestId: 'req_6f1f0c0e-4f0e-4b59-9d3e-0a8d5b1f7c2a', ...fields }
      return [
        name,
        {
          description,
          headers: headerRefs(headers),
          content: { 'application/json': { schema: ref('schemas', 'Error'), example } },
        },
      ]
    }),
  )
}

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'What is wrong, why, and what to do next' },
    code: { type: 'string', description: 'A stable word for programs', enum: Object.keys(ERRORS) },
    requestId: { type: 'string' },
    fields: {
      type: 'array',
      description: 'On 400: every faulty field',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

function errorsOf(operation: AnyOperation): ErrorCode[] {
  const keyed: ErrorCode[] = operation.access === 'public' ? [] : ['unauthorized']
  const scoped: ErrorCode[] = operation.access === 'public' || operation.access === 'any_key' ? [] : ['forbidden']
  const absent: ErrorCode[] = operation.http.path.includes('{') ? ['not_found'] : []
  return [
    'bad_request',
    ...keyed,
    ...scoped,
    ...absent,
    ...(operation.limit ? (['rate_limited'] as const) : []),
    'internal',
  ]
}

function parametersOf(operation: AnyOperation, edition: Edition): Json[] {
  const schema = jsonSchema(operation.input, edition, 'input')
  const properties: Record<string, Json> = Object(schema.properties)
  const supported = operation.parameters?.() ?? Object.keys(properties)
  return supported.map((name) => {
    const { description, ...rest } = properties[name] ?? {}
    const inPath = operation.http.path.includes(`{${name}}`)
    return { name, in: inPath ? 'path' : 'query', required: inPath, description, schema: rest }
  })
}

/** List items and single records share one named schema, so that generated clients have one type for each. */
function outputSchema(operation: AnyOperation, edition: Edition): Json {
  const full = jsonSchema(operation.output, edition, 'output')
  const resource = Object.values(resources).find(
    ({ name }) => operation.http.path === `/${name}` || operation.http.path === `/${name}/{id}`,
  )
  if (!resource) return full
  const item = ref('schemas', pascal(resource.singular))
  if (operation.http.path.includes('{')) return item
  return { ...full, properties: { ...Object(full.properties), items: { type: 'array', items: item } } }
}

const pascal = (word: string) => word.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

function describeOperation(operation: AnyOperation, edition: Edition, rootUrl: string): Json {
  const errors = errorsOf(operation).map((code) => [
    ERRORS[code].status,
    ref('responses', ERROR_TEXT[code]?.name ?? 'Internal'),
  ])
  const isPublic = operation.access === 'public'
  return {
    operationId: operation.name,
    summary: operation.title,
    description:
      operation.description +
      (isPublic || operation.access === 'any_key' ? '' : ` Needs the scope \`${operation.access}\`.`),
    tags: [
      operation.http.at === 'root' || operation.name.includes('metadata') || operation.name.includes('openapi')
        ? 'service'
        : operation.http.path.split('/')[1],
    ],
    ...(operation.deprecation ? { deprecated: true } : {}),
    ...(operation.http.at === 'root' ? { servers: [{ url: rootUrl }] } : {}),
    security: isPublic ? [] : [{ apiKey: [] }, { bearer: [] }],
    parameters: parametersOf(operation, edition),
    responses: {
      200: {
        description: 'As asked',
        headers: headerRefs(['X-Request-Id', ...(operation.limit ? RATE_HEADERS : [])]),
        content: { 'application/json': { schema: outputSchema(operation, edition), example: operation.example } },
      },
      ...Object.fromEntries(errors),
    },
  }
}

const INTRODUCTION = `Read-only access to a contractor’s customers, projects, invoices and payments.

Lists are ordered by \`updatedAt\`, then \`id\`. To stay in step, store the time of your last completed sync, ask with
\`updatedAfter\` set to that time less one or two minutes, follow \`nextPageToken\` until it is null, and keep one copy per \`id\`.
Poll every 5 to 15 minutes; on 429 wait for \`Retry-After\` seconds. Fields may be added within v1: ignore those you do not know.`

/** The OpenAPI document of the given operations, in either edition, with the configured addresses. */
export function openApiDocument(operations: AnyOperation[], edition: Edition): Json {
  const urls = baseUrls(env())
  const paths: Record<string, Json> = {}
  for (const operation of operations)
    paths[operation.http.path] = { get: describeOperation(operation, edition, urls.api) }
  const tags = ['customers', 'projects', 'invoices', 'payments', 'service']
  return {
    openapi: edition === '3.1' ? '3.1.0' : '3.0.3',
    info: {
      title: `${SERVICE.name} data API`,
      version: '1.1.0',
      description: INTRODUCTION,
      contact: { name: SERVICE.name, url: urls.portal },
      license: { name: 'Proprietary', url: `${urls.portal}/` },
    },
    servers: [{ url: `${urls.api}${urls.apiPrefix}`, description: 'This deployment' }],
    tags: tags.map((name) => ({
      name,
      description: name === 'service' ? 'What this API is and how it is' : `The contractor’s ${name}`,
    })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key issued by the contractor’s administrator',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token' },
      },
      headers: HEADERS,
      responses: errorResponses(),
      schemas: {
        Error: ERROR_SCHEMA,
        ...Object.fromEntries(
          Object.values(resources).map((r) => [pascal(r.singular), jsonSchema(r.output, edition, 'output')]),
        ),
      },
    },
  }
}
