import type { Message } from './gate'

/** A message as a web request, as the SDK of the stateless revision takes it. */
export function webRequest(headers: { get(name: string): string | null }, message: Message): Request {
  const forwarded = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...Object.fromEntries(forwarded),
    },
    body: JSON.stringify(message),
  })
}

/** The metadata field that marks that revision's envelope. */
const ENVELOPE = 'io.modelcontextprotocol/protocolVersion'

/** A cheap check, so that requests in session mode are not built a second time just to classify them. */
function mayBeStateless(headers: { get(name: string): string | null }, { params }: Message): boolean {
  const version = headers.get('mcp-protocol-version')
  const meta = Object(Object(params)._meta)
  return ENVELOPE in meta || headers.get('mcp-method') !== null || (version !== null && version >= '2026')
}

/** Reports whether a message uses the stateless revision (2026-07-28), recognized by its envelope. */
export async function isStateless(headers: { get(name: string): string | null }, message: Message): Promise<boolean> {
  if (!mayBeStateless(headers, message)) return false
  const { isLegacyRequest } = await import('@modelcontextprotocol/server')
  return !(await isLegacyRequest(webRequest(headers, message), message))
}
