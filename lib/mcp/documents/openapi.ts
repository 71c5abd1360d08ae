import type * as z from 'zod'
import { SERVICE } from '@/lib/core/service'
import { serverOf } from '@/lib/http/openapi/document'
import { headersOf, RATE_HEADERS } from '@/lib/http/openapi/headers'
import { type Json, jsonSchema, ref } from '@/lib/http/openapi/schema'
import { getHealth } from '@/lib/operations/health'
import type { Tool } from '../tools'
import { documentPaths } from './openapi-documents'
import { messagePaths } from './openapi-messages'
import * as schemas from './schemas'
import type { Site } from './site'

const PUBLIC_ERROR: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'What is wrong, and what to do next' },
    code: { type: 'string', description: 'A stable word for programs' },
    requestId: { type: 'string' },
  },
}

/** `GET /mcp/openapi.json`: the MCP server as OpenAPI 3.0.3, with the configured addresses. */
export function mcpOpenApi(site: Site, tools: readonly Tool[]): Json {
  const named = Object.entries<z.ZodType>({ ...schemas, HealthStatus: getHealth.output })
  return {
    openapi: '3.0.3',
    info: {
      title: `${SERVICE.name} MCP server`,
      version: SERVICE.version,
      description: `${SERVICE.description}. Agents speak MCP with \`/mcp\`; \`/mcp/rpc\` takes single JSON-RPC requests. The tools themselves are in \`/mcp/tools.json\`.`,
      contact: { name: SERVICE.name, url: site.portal },
      license: { name: 'Proprietary', url: `${site.portal}/` },
    },
    servers: [serverOf(site.origin)],
    tags: [
      { name: 'messages', description: 'Speaking MCP; needs a key' },
      { name: 'documents', description: 'What this server is and how it is; for everyone' },
    ],
    security: [{ apiKey: [] }],
    paths: { ...messagePaths(site, tools), ...documentPaths() },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key issued by the contractor’s administrator',
        },
      },
      headers: headersOf([...RATE_HEADERS, 'Retry-After']),
      responses: {
        Internal: {
          description: 'Our fault; safe to try again with backoff',
          content: { 'application/json': { schema: ref('schemas', 'PublicError') } },
        },
        MethodNotAllowed: {
          description: 'Only what `Allow` names can be asked here',
          headers: { Allow: { schema: { type: 'string' } } },
          content: { 'application/json': { schema: ref('schemas', 'PublicError') } },
        },
      },
      schemas: {
        PublicError: PUBLIC_ERROR,
        ...Object.fromEntries(named.map(([name, schema]) => [name, jsonSchema(schema, '3.0', 'output')])),
      },
    },
  }
}
