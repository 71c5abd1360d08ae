import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { KEY_VARIABLE } from './curl'

/**
 * Tells whether a request with one of the reader's keys has arrived: none yet, or the first; or that nobody is signed in, whose requests it
 * could be, and what to do. `at` is an ISO timestamp.
 */
export type FirstRequest =
  | { state: 'signed-out'; message: string }
  | { state: 'waiting' }
  | { state: 'seen'; at: string; method: string; path: string; status: number }

/** The page's state: not requested yet, the answer, or why the reader gets none (no permission, or the server is away). */
export type Watched = FirstRequest | { state: 'asking' } | { state: 'refused'; message: string } | { state: 'lost' }

/**
 * The path a page polls, with `since`, the time it was rendered. Being signed out is an answer with status 200, because browsers report
 * a 401 as a fault of the public page that polls. A role that may not see requests gets 403.
 */
export const FIRST_REQUEST_PATH = '/developers/first-request'

const isText = (value: unknown): value is string => typeof value === 'string'
const fieldsOf = (body: unknown): Record<string, unknown> => (body instanceof Object ? { ...body } : {})

/** Reads a response of {@link FIRST_REQUEST_PATH}; an unknown one is `lost`. */
export function readFirstRequest(httpStatus: number, body: unknown): Watched {
  const { state, at, method, path, status, error, message } = fieldsOf(body)
  if (httpStatus === 403 && isText(error)) return { state: 'refused', message: error }
  if (state === 'signed-out' && isText(message)) return { state, message }
  if (state === 'waiting') return { state }
  if (state === 'seen' && isText(at) && isText(method) && isText(path) && typeof status === 'number')
    return { state, at, method, path, status }
  return { state: 'lost' }
}

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
