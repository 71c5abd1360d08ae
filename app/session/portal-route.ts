import 'server-only'
import { Answer, toResponse } from '@/lib/http/answer'

/**
 * Builds a route for the portal's own pages: JSON for a signed-in browser, not part of the API. `read` checks the session and the role;
 * an error it throws becomes the usual error response.
 */
export const portalRoute =
  (read: (query: URLSearchParams) => Promise<object>) =>
  async (request: Request): Promise<Response> => {
    const answer = new Answer('GET')
    const reply = await read(new URL(request.url).searchParams).then(
      (found) => answer.json(JSON.stringify(found)),
      (error) => answer.error(error),
    )
    return toResponse(reply)
  }
