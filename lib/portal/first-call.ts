import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { KEY_VARIABLE } from './curl'

/** The interfaces' URLs: `api` with its path prefix, `leads` and `mcp` in full. */
export type Addresses = { api: string; leads: string; mcp: string }

const LEAD = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', externalId: 'first-call' }
const JSON_TYPE = '-H "content-type: application/json"'
const signed = `-H "x-api-key: $${KEY_VARIABLE}"`

/**
 * A first request that a key of these scopes may make, as a shell command that reads the key from a variable: for an agent its list
 * of tools, else a page of the first resource it reads, else what the API has to offer, or a lead where it can do nothing but send them.
 */
export function firstCall(scopes: readonly string[], preset: string | null, { api, leads, mcp }: Addresses): string {
  if (preset === 'agent') {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return `curl '${mcp}/rpc' ${signed} ${JSON_TYPE} \\\n  -d '${body}'`
  }
  const resource = RESOURCE_NAMES.find((name) => scopes.includes(scopeOf(name)))
  if (resource) return `curl ${signed} '${api}/${resource}?limit=1'`
  if (scopes.some((scope) => scope !== 'write:leads')) return `curl ${signed} '${api}/metadata'`
  return `curl '${leads}' ${signed} ${JSON_TYPE} \\\n  -d '${JSON.stringify(LEAD)}'`
}

/** The same with the key put into its variable before: what runs as it is pasted. */
export const withKey = (command: string, key: string): string => `export ${KEY_VARIABLE}='${key}'\n${command}`
