import type { Env } from '@/lib/core/env'
import { baseUrls } from '@/lib/core/env'
import { KEY_VARIABLE } from '@/lib/portal/curl'

/** What of a logged request is needed to make it again. */
export type Asked = { method: string; path: string; query: string | null }

/** Where a body goes that was not kept. */
export const BODY_FILE = 'body.json'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The log names every endpoint by one path; on the data API's own host paths are root-relative. */
function addressOf(path: string, settings: Env): string {
  const { api, apiPrefix, mcp } = baseUrls(settings)
  if (/^\/mcp(\/|$)/.test(path)) return mcp + path.slice('/mcp'.length)
  return api + (apiPrefix === '' ? path.replace(/^\/api\/v1(?=\/)/, '') : path)
}

/** The parameters that were kept with their values; of a page token only that it was there. */
const kept = (query: string | null) => (query ?? '').split('&').filter((part) => part !== '' && !part.endsWith('=…'))

/** Whether making it again needs what was not kept: a body, or a page token. */
export const lacks = ({ method, query }: Asked): { body: boolean; pageToken: boolean } => ({
  body: method === 'POST' || method === 'PUT' || method === 'PATCH',
  pageToken: /(^|&)pageToken=…/.test(query ?? ''),
})

/** A logged request as a curl command with its real address, the key a variable of the shell, the body a file. */
export function againInCurl(asked: Asked, settings: Env): string {
  const parameters = kept(asked.query)
  const url = addressOf(asked.path, settings) + (parameters.length > 0 ? `?${parameters.join('&')}` : '')
  const verb = { GET: '', HEAD: '--head ' }[asked.method] ?? `-X ${asked.method} `
  return [
    `curl ${verb}${quoted(url)}`,
    `-H "x-api-key: $${KEY_VARIABLE}"`,
    ...(lacks(asked).body ? [`-H 'content-type: application/json'`] : []),
    ...(asked.path.startsWith('/mcp') ? [`-H 'accept: application/json, text/event-stream'`] : []),
    ...(lacks(asked).body ? [`--data-binary @${BODY_FILE}`] : []),
  ].join(' \\\n  ')
}
