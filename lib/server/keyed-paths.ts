import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { endpointFinder } from '@/lib/http/endpoint'
import type { PolicyName } from '@/lib/limits/policies'

/** A path that needs a key: the limit that counts its keyless requests, and where the key may be sent. */
export type KeyedPath = {
  path: string
  protocol: 'rest' | 'mcp'
  /** The methods that need a key; other methods are refused or answered without one. */
  methods: readonly string[]
  limit: PolicyName
  name: string
  /** Whether HTTP Basic with the key as the password is also accepted. */
  takesBasic?: boolean
  /** Whether a key may also stand in the path, behind a dot. */
  keyInPath?: boolean
  /** Last path segments of the senders that put the key in the body; only the endpoint reads the body. */
  keyInBody?: readonly string[]
}

const READ = { protocol: 'rest', methods: ['GET', 'HEAD'], limit: 'dataApi' } as const
const WRITE = { protocol: 'rest', methods: ['POST'], limit: 'dataApi' } as const
const PUT = { protocol: 'rest', methods: ['PUT'], limit: 'dataApi' } as const
const LEAD = { protocol: 'rest', methods: ['POST'], limit: 'leads' } as const
const MCP = { protocol: 'mcp', limit: 'mcp', name: 'mcp' } as const

/**
 * Every path that needs a key. The operations know this too, but they import the database, which the middleware must not; a test
 * compares the two.
 */
export const KEYED_PATHS: readonly KeyedPath[] = [
  ...RESOURCE_NAMES.flatMap((name): KeyedPath[] => [
    { ...READ, path: `/api/v1/${name}`, name: `list_${name}` },
    { ...READ, path: `/api/v1/${name}/{id}`, name: `get_${name.replace(/s$/, '')}` },
    { ...READ, path: `/api/v1/${name}/checksum`, name: `get_${name}_checksum` },
    { ...READ, path: `/api/v1/export/${name}`, name: `export_${name}`, limit: 'export' },
  ]),
  { ...READ, path: '/api/v1/changes', name: 'list_changes' },
  { ...READ, path: '/api/v1/metadata', name: 'get_metadata' },
  { ...READ, path: '/api/v1/webhooks', name: 'list_webhooks' },
  { ...READ, path: '/api/v1/webhooks/{id}', name: 'get_webhook' },
  { ...WRITE, path: '/api/v1/webhooks/create', name: 'create_webhook' },
  { ...WRITE, path: '/api/v1/webhooks/change', name: 'change_webhook' },
  { ...WRITE, path: '/api/v1/webhooks/rotate', name: 'rotate_webhook_secret' },
  { ...WRITE, path: '/api/v1/webhooks/delete', name: 'delete_webhook' },
  { ...WRITE, path: '/api/v1/webhooks/test', name: 'test_webhook' },
  { ...WRITE, path: '/api/v1/webhooks/replay', name: 'replay_webhook' },
  { ...READ, path: '/api/v1/webhook-deliveries', name: 'list_webhook_deliveries' },
  { ...READ, path: '/api/v1/webhook-deliveries/{id}', name: 'get_webhook_delivery' },
  { ...WRITE, path: '/api/v1/webhook-deliveries/replay', name: 'replay_webhook_delivery' },
  { ...READ, path: '/api/v1/loads', name: 'list_loads' },
  { ...READ, path: '/api/v1/loads/{load}', name: 'get_load' },
  { ...PUT, path: '/api/v1/loads/{load}', name: 'load_file' },
  { ...LEAD, path: '/api/webhooks/leads/inbound', name: 'create_lead' },
  {
    ...LEAD,
    path: '/api/webhooks/leads/{source}',
    name: 'receive_lead',
    takesBasic: true,
    keyInPath: true,
    keyInBody: ['google-ads'],
  },
  { ...MCP, path: '/mcp', methods: ['POST', 'GET', 'DELETE'] },
  { ...MCP, path: '/mcp/rpc', methods: ['POST'] },
]

/** Returns a function that finds what is known of a path and method; of a path with several entries the first, for any other method. */
export function finderOf<T extends { path: string; methods?: readonly string[] }>(
  all: readonly T[],
): (path: string, method: string) => T | undefined {
  const byPath = new Map<string, T[]>()
  for (const entry of all) byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), entry])
  const find = endpointFinder([...byPath].map(([path, entries]) => ({ path, entries })))
  return (path, method) => {
    const entries = find(path)?.entries
    return entries?.find(({ methods }) => methods?.includes(method)) ?? entries?.[0]
  }
}
