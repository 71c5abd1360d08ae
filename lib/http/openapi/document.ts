import { baseUrls, env } from '@/lib/core/env'
import { RESOURCE_NAMES, RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { DATA_API, SERVICE } from '@/lib/core/service'
import type { AnyOperation, Served } from '@/lib/operations/define'
import { ERROR_SCHEMA, errorResponses } from './errors'
import { HEADERS } from './headers'
import { describeOperation } from './paths'
import { recordSchemas } from './records'
import type { Edition, Json } from './schema'

const INTRODUCTION = `A contractor’s ${RESOURCES_IN_WORDS}, and one webhook that takes leads.

The resources are read-only. Two scopes, which no preset of keys has, write: \`write:data\` puts CSV files (\`PUT /loads/{load}\`), whose rows add
and change records, and which delete the records they lack when they are declared complete; \`write:webhooks\` sets up outgoing webhooks.

Status: ${DATA_API.status}, last updated ${DATA_API.updated}.

Lists are ordered by \`updatedAt\`, then \`id\`. To stay in step, store the time of your last completed sync, ask with
\`updatedAfter\` set to that time less one or two minutes, follow \`nextPageToken\` until it is null, and keep one copy per \`id\`.
Poll every 5 to 15 minutes; on 429 wait for \`Retry-After\` seconds. Fields may be added within v1: ignore those you do not know.`

/** The entry of `servers` for one of this deployment's addresses. */
export function serverOf(url: string): Json {
  const environment = env().vercel ?? (new URL(url).hostname === 'localhost' ? 'local' : 'production')
  return { url, description: `This deployment (${environment})`, 'x-internal': false }
}

/** Returns the OpenAPI document of the given operations, in either edition, with the configured addresses. */
export function openApiDocument(operations: Served<AnyOperation>[], edition: Edition): Json {
  const urls = baseUrls(env())
  const paths: Record<string, Json> = {}
  for (const operation of operations)
    paths[operation.http.path] = {
      ...paths[operation.http.path],
      [operation.http.method.toLowerCase()]: describeOperation(operation, edition, urls.api),
    }
  const tags = [...RESOURCE_NAMES, 'changes', 'export', 'loads', 'webhooks', 'leads', 'service']
  return {
    openapi: edition === '3.1' ? '3.1.0' : '3.0.3',
    info: {
      title: `${SERVICE.name} data API`,
      version: '1.1.0',
      description: INTRODUCTION,
      contact: { name: SERVICE.name, url: urls.portal },
      license: { name: 'Proprietary', url: `${urls.portal}/` },
    },
    servers: [serverOf(`${urls.api}${urls.apiPrefix}`)],
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
        basic: { type: 'http', scheme: 'basic', description: 'The same key as the password, with any user name' },
      },
      headers: HEADERS,
      responses: errorResponses(),
      schemas: {
        Error: ERROR_SCHEMA,
        ...recordSchemas(edition),
      },
    },
  }
}
