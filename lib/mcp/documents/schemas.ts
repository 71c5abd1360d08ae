import * as z from 'zod'

// The documents of specification 2.8, field by field. Fields may be added (9.2).

const Status = z.enum(['healthy', 'degraded', 'unhealthy'])
const Parts = z.record(z.string(), z.unknown())
const Moment = z.iso.datetime({ precision: 3 })
const Transports = z.looseObject({
  streamable_http: z.looseObject({ endpoint: z.literal('/mcp'), url: z.url() }),
  sse: z.looseObject({ endpoint: z.literal('/mcp/sse'), url: z.url() }),
  json_rpc: z.looseObject({ endpoint: z.literal('/mcp/rpc'), url: z.url() }),
})

export const ServerInfo = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  status: Status,
  uptime_seconds: z.number(),
  active_sessions: z.number(),
  transports: Transports,
  authentication: Parts,
  examples: Parts,
  tool_categories: z.array(z.string()),
})

export const McpInfo = z.object({
  name: z.string(),
  version: z.string(),
  transports: Transports,
  authentication: Parts,
  examples: Parts,
})

const CatalogTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: Parts,
  outputSchema: Parts,
  annotations: Parts,
  category: z.string(),
  scopes: z.array(z.string()),
  endpoint: z.string(),
  authentication_required: z.boolean(),
  rate_limited: z.boolean(),
  rate_limit: z.object({ requests_per_minute: z.number(), per: z.enum(['api_key', 'contractor']) }),
  example_usage: Parts,
})

export const ToolsCatalog = z.object({
  name: z.string(),
  description: z.string(),
  server_url: z.string(),
  tools_count: z.number(),
  categories: Parts,
  tools: z.array(CatalogTool),
  examples: Parts,
  updated_at: Moment,
})

export const ServerDiscovery = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  homepage: z.string(),
  documentation: z.string(),
  logo: z.string(),
  transports: Transports,
  endpoints: Parts,
  technical_specs: Parts,
  contact: Parts,
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  use_cases: z.array(z.string()),
  industry: z.string(),
  updated_at: Moment,
  schema_version: z.string(),
})

/** A number that JSON holds exactly: a greater whole number would come back as another one. */
const EXACT = z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
/** A text of a message; only the size of the whole message limits it. */
const Text = z.string().max(1_000_000)
const Id = z.union([Text, EXACT])
// Null beside a text: OpenAPI 3.0 has no type of its own for it.
const NullableId = z.union([Text.nullable(), EXACT])
const Version = z.literal('2.0')

export const McpMessage = z.object({
  jsonrpc: Version,
  method: Text,
  id: NullableId.optional().describe('Absent in a notification'),
  params: Parts.optional(),
})

export const JsonRpcRequest = z.object({
  jsonrpc: Version,
  id: Id,
  method: z.enum(['tools/list', 'tools/call']),
  params: Parts.optional().describe('Of tools/call: `name`, the tool, and `arguments`, an object'),
})

export const JsonRpcResponse = z.object({
  jsonrpc: Version,
  id: NullableId.describe('Null where the request’s own could not be read'),
  result: Parts.optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
})

export const ErrorResponse = z.object({ error: z.string(), message: z.string(), code: z.number() })
