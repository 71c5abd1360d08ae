import type * as z from 'zod'
import { SERVICE } from '@/lib/core/service'
import { serverOf } from '@/lib/http/openapi/document'
import { headersOf, RATE_HEADERS } from '@/lib/http/openapi/headers'
import { type Json, jsonSchema, ref } from '@/lib/http/openapi/schema'
import { getHealth } from '@/lib/operations/health'
import type { Tool } from '../tools'
import { messagePaths } from './openapi-messages'
import * as schemas from './schemas'
import { PUBLIC_PLACES, type Site } from './site'

type Place = keyof typeof PUBLIC_PLACES

const JSON_TYPE = 'application/json'
const CARD = { 'application/mcp-server-card+json': { schema: { type: 'object' } } }
const TEXT = { 'text/plain': { schema: { type: 'string' } } }
const json = (schema: Json): Json => ({ [JSON_TYPE]: { schema } })

/** The media type of each document. */
const CONTENTS: Record<Place, Json> = {
  home: { ...json(ref('schemas', 'ServerInfo')), 'text/html': { schema: { type: 'string' } } },
  health: json(ref('schemas', 'HealthStatus')),
  console: { 'text/html': { schema: { type: 'string' } } },
  info: json(ref('schemas', 'McpInfo')),
  tools: json(ref('schemas', 'ToolsCatalog')),
  discovery: json(ref('schemas', 'ServerDiscovery')),
  openapi: json({ type: 'object' }),
  registry: json({ type: 'object' }),
  card: CARD,
  wellKnownCard: CARD,
  llms: TEXT,
  sitemap: { 'application/xml': { schema: { type: 'string' } } },
  robots: TEXT,
  security: TEXT,
}

const CACHING = {
  ETag: { description: 'Names this version; send it as If-None-Match', schema: { type: 'string' } },
  'Cache-Control': { schema: { type: 'string' } },
}

/** Returns the answers. Health is always current, so it is never cached; only it can answer 503. */
function answersOf(place: Place): Json {
  const content = CONTENTS[place]
  if (place === 'health')
    return {
      200: { description: 'Healthy or degraded', content },
      405: ref('responses', 'MethodNotAllowed'),
      500: ref('responses', 'Internal'),
      503: { description: 'This process cannot serve; send its requests to another', content },
    }
  if (place === 'console')
    return {
      200: { description: 'The page', content },
      421: { description: 'This host does not serve it', content: json(ref('schemas', 'PublicError')) },
      500: ref('responses', 'Internal'),
    }
  return {
    200: { description: 'The document', headers: CACHING, content },
    304: { description: 'What the client holds is still so' },
    405: ref('responses', 'MethodNotAllowed'),
    500: ref('responses', 'Internal'),
  }
}

/** Descriptions of documents beyond their summaries, for those that do not stay the same. */
const DESCRIPTIONS: Partial<Record<Place, string>> = {
  home: 'For everyone, without a key. A browser receives a page, everything else JSON with the state of this moment.',
  health: 'For everyone, without a key: database, disk and limits, as they are at this moment.',
  console: 'A page for everyone; the key that is typed into it stays in the browser tab.',
}

const operationId = (place: Place) => `get_${place.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`

const isPlace = (name: string): name is Place => name in PUBLIC_PLACES

function pathOf(place: Place): [path: string, item: Json] {
  const { path, about } = PUBLIC_PLACES[place]
  const description = DESCRIPTIONS[place] ?? 'For everyone, without a key. It is the same until the deployment changes.'
  const operation = { operationId: operationId(place), summary: about, description, tags: ['documents'], security: [] }
  return [path, { get: { ...operation, responses: answersOf(place) } }]
}

/** The public documents as OpenAPI paths. */
const documentPaths = (): Json => Object.fromEntries(Object.keys(PUBLIC_PLACES).filter(isPlace).map(pathOf))

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
