import type { Exchange } from './exchange'

/** The variable that stands for the key in everything that is copied. */
export const KEY_VARIABLE = 'PLUMBLINE_KEY'

/** Headers curl sets itself, or that say nothing to the server. */
const LEFT_OUT = ['content-length', 'host', 'origin', 'referer', 'user-agent']

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** What of an exchange was sent. */
type Sent = Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>

/** The request of an exchange as a curl command, with the key replaced by a variable of the shell wherever it stood. */
export function curlOf({ method, url, requestHeaders, requestBody }: Sent, key: string): string {
  const clean = (text: string) => (key ? text.replaceAll(key, `$${KEY_VARIABLE}`) : text)
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => {
      const line = `${name}: ${clean(value)}`
      // Only where the variable stands may the shell look into the text.
      return `-H ${line.includes(`$${KEY_VARIABLE}`) ? `"${line}"` : quoted(line)}`
    })
  const body = requestBody ? [`-d ${quoted(clean(requestBody))}`] : []
  return [`curl -X ${method} ${quoted(clean(url))}`, ...headers, ...body].join(' \\\n  ')
}
