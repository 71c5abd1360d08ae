import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import type { PolicyName } from '@/lib/limits/policies'

/** A path that needs a key: as what its keyless requests are counted, and how the key is sent. */
export type KeyedPath = {
  path: string
  protocol: 'rest' | 'mcp'
  /** The methods that need a key; other methods are refused or answered without one. */
  methods: readonly string[]
  limit: PolicyName
  name: string
  /** Whether a key is also taken as the password of HTTP Basic. */
  takesBasic?: boolean
  /** Last path segments of senders that put the key in the body, which only the endpoint reads. */
  keyInBody?: readonly string[]
}

const READ = { protocol: 'rest', methods: ['GET', 'HEAD'], limit: 'dataApi' } as const
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
  ]),
  { ...READ, path: '/api/v1/metadata', name: 'get_metadata' },
  { ...LEAD, path: '/api/webhooks/leads/inbound', name: 'create_lead' },
  { ...LEAD, path: '/api/webhooks/leads/{source}', name: 'receive_lead', takesBasic: true, keyInBody: ['google-ads'] },
  { ...MCP, path: '/mcp', methods: ['POST', 'DELETE'] },
  { ...MCP, path: '/mcp/rpc', methods: ['POST'] },
]
