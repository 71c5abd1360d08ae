import { publicGet } from '@/lib/core/public-get'

/** Twice what the library takes, so that it and not we say that a document is too long. */
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
 * Reads a client's metadata document, or the keys it names: see {@link publicGet}. A redirect is returned and refused by the library.
 * @param get what reads it; tests use their own server instead of the internet
 */
export async function fetchClientDocument(
  input: RequestInfo | URL,
  init?: RequestInit,
  get: typeof publicGet = publicGet,
): Promise<Response> {
  const { url, headers } = new Request(input, init)
  let got: Awaited<ReturnType<typeof publicGet>>
  try {
    got = await get(url, { headers: Object.fromEntries(headers), most: MOST_BYTES })
  } catch (error) {
    const known = pinned(url)
    if (known) return known
    throw error
  }
  if (got.status === 403) {
    const known = pinned(url)
    if (known) return known
  }
  const hasBody = ![101, 204, 205, 304].includes(got.status) && got.status >= 200
  return new Response(hasBody ? got.bytes : null, { status: got.status, headers: got.headers })
}
