import { jsonOf } from '@/lib/core/json'
import { publicGet } from '@/lib/core/public-get'

/** The limit: twice what the library takes, so that it and not we say that a document is too long. */
const MOST_BYTES = 10 * 1024

/**
 * Documents of clients whose host does not answer every cloud. They stand in only where there was no answer at all, or 403: what the host
 * says otherwise counts, and 404 or 410 means that the client is gone.
 */
const PINNED: Record<string, { client_name: string; redirect_uris: string[] }> = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
}

function pinned(url: string): Response | undefined {
  const document = PINNED[url]
  if (!document) return undefined
  return Response.json({
    ...document,
    client_id: url,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
}

/**
 * A document without the scopes that its client uses anywhere: the person chooses, and the library refuses a document that names one it does
 * not know. What we refuse to read as JSON is none, because the library's schemas would throw on some of it.
 */
function withoutScope(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | string {
  const document = jsonOf(bytes.toString())
  if (document === undefined) return ''
  const { scope, ...rest } = Object(document)
  return typeof scope === 'string' ? JSON.stringify(rest) : bytes
}

/** Returns what a client's host said of it last, by its URL; undefined for one that is not known. */
export type CachedClientDocument = (url: string) => Promise<object | undefined>

/**
 * Reads a client's metadata document, or the keys it names: see {@link publicGet}. A redirect is returned and refused by the library. How long
 * it is kept is the library's choice and not the host's: many hosts let nothing be kept, and it would be read at each step. Where the host does
 * not answer, or fails, what it said last stands.
 * @param get what reads it; tests use their own server instead of the internet
 */
export async function fetchClientDocument(
  input: RequestInfo | URL,
  init?: RequestInit,
  lastSaid: CachedClientDocument = async () => undefined,
  get: typeof publicGet = publicGet,
): Promise<Response> {
  const { url, headers } = new Request(input, init)
  const instead = async () => {
    const known = await lastSaid(url)
    return known ? Response.json(known) : pinned(url)
  }
  let got: Awaited<ReturnType<typeof publicGet>>
  try {
    got = await get(url, { headers: Object.fromEntries(headers), most: MOST_BYTES })
  } catch (error) {
    const known = await instead()
    if (known) return known
    throw error
  }
  if (got.status === 403 || got.status === 429 || got.status >= 500) {
    const known = await instead()
    if (known) return known
  }
  const { 'cache-control': _, expires: __, vary: ___, ...kept } = got.headers
  const hasBody = ![101, 204, 205, 304].includes(got.status) && got.status >= 200
  return new Response(hasBody ? withoutScope(got.bytes) : null, { status: got.status, headers: kept })
}
