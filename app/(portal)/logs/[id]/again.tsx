import { Card } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { baseUrls, type Env, env } from '@/lib/core/env'
import { KEY_VARIABLE } from '@/lib/portal/curl'

/** The parts of a logged request that are needed to reproduce it. */
type LoggedRequest = { method: string; path: string; query: string | null }

/** The file to put the body in, because bodies are not stored. */
const BODY_FILE = 'body.json'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The log stores one path per endpoint; on the data API's own host, paths begin at the root. */
function addressOf(path: string, settings: Env): string {
  const { api, apiPrefix, mcp } = baseUrls(settings)
  if (/^\/mcp(\/|$)/.test(path)) return mcp + path.slice('/mcp'.length)
  return api + (apiPrefix === '' ? path.replace(/^\/api\/v1(?=\/)/, '') : path)
}

/** Returns the parameters whose values were stored. A page token's value is not. */
const kept = (query: string | null) => (query ?? '').split('&').filter((part) => part !== '' && !part.endsWith('=…'))

/** Reports whether reproducing the request needs something that was not stored: a body or a page token. */
export const lacks = ({ method, query }: LoggedRequest): { body: boolean; pageToken: boolean } => ({
  body: method === 'POST' || method === 'PUT' || method === 'PATCH',
  pageToken: /(^|&)pageToken=…/.test(query ?? ''),
})

/** Returns a logged request as a curl command with its real URL, the key in a shell variable and the body in a file. */
export function againInCurl(asked: LoggedRequest, settings: Env): string {
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

/** Shows a logged request as a curl command, and says which parts were not stored. */
export function Again({ asked }: { asked: LoggedRequest }) {
  const { body, pageToken } = lacks(asked)
  return (
    <Card
      title="Reproduce this request"
      text={
        <>
          <code className="font-mono">{KEY_VARIABLE}</code> holds your key.
          {body && (
            <>
              {' '}
              Bodies are not stored: put yours in <code className="font-mono">{BODY_FILE}</code>.
            </>
          )}
          {pageToken && ' Page tokens are not stored either, so this requests the first page.'}
        </>
      }
    >
      <CodeBlock code={againInCurl(asked, env())} language="shell" label="The request in curl" />
    </Card>
  )
}
