import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { KEY_VARIABLE } from './curl'

/**
 * The interfaces' URLs: `api` with its path prefix, `leads` and `mcp` in full. `relayHost` is the host on which requests of a page go through
 * the portal's relay to the API.
 */
export type Addresses = { api: string; leads: string; mcp: string; relayHost?: string | undefined }

const LEAD = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', externalId: 'first-call' }
const JSON_TYPE = '-H "content-type: application/json"'
const signed = `-H "x-api-key: $${KEY_VARIABLE}"`

/**
 * Returns a first request for a key with these scopes, as a shell command that reads the key from a variable. An agent's key, or one that
 * only writes through tools, lists the tools; another key reads the first resource it may read, otherwise the metadata; a key that may only
 * send leads sends one.
 */
export function firstCall(scopes: readonly string[], preset: string | null, { api, leads, mcp }: Addresses): string {
  if (preset === 'agent' || scopes.every((scope) => /^write:(notes|tasks)$/.test(scope))) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return `curl '${mcp}/rpc' ${signed} ${JSON_TYPE} \\\n  -d '${body}'`
  }
  const resource = RESOURCE_NAMES.find((name) => scopes.includes(scopeOf(name)))
  if (resource) return `curl ${signed} '${api}/${resource}?limit=1'`
  if (scopes.some((scope) => scope !== 'write:leads')) return `curl ${signed} '${api}/metadata'`
  if (preset === 'lead-url')
    return `curl "${leadUrl(leads, `$${KEY_VARIABLE}`)}" ${JSON_TYPE} \\\n  -d '${JSON.stringify(LEAD)}'`
  return `curl '${leads}' ${signed} ${JSON_TYPE} \\\n  -d '${JSON.stringify(LEAD)}'`
}

/** The URL that a lead sender posts to, with its key; `zapier` is the source that reads any form. */
export const leadUrl = (leads: string, key: string, source = 'zapier'): string =>
  leads.replace(/inbound$/, `${source}.${key}`)

/** Returns the command with the key assigned to its variable first, ready to paste. */
export const withKey = (command: string, key: string): string => `export ${KEY_VARIABLE}='${key}'\n${command}`
