import type { Exchange } from './exchange'

/** The environment variable that replaces the key in everything that is copied. */
export const KEY_VARIABLE = 'PLUMBLINE_KEY'

/** Headers that curl sets itself or that the server ignores. */
const LEFT_OUT = ['content-length', 'host', 'origin', 'referer', 'user-agent']

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The request of an exchange. */
type Sent = Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>

/** Returns the request as a curl command, with a shell variable in place of the key. */
export function curlOf({ method, url, requestHeaders, requestBody }: Sent, key: string): string {
  const clean = (text: string) => (key ? text.replaceAll(key, `$${KEY_VARIABLE}`) : text)
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => {
      const line = `${name}: ${clean(value)}`
      // Only the header with the variable is in double quotes, so the shell expands nothing else.
      return `-H ${/\$PLUMBLINE_(KEY|TOKEN)/.test(line) ? `"${line}"` : quoted(line)}`
    })
  const body = requestBody ? [`-d ${quoted(clean(requestBody))}`] : []
  return [`curl -X ${method} ${quoted(clean(url))}`, ...headers, ...body].join(' \\\n  ')
}
