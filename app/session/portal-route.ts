import 'server-only'
import { Answer, toResponse } from '@/lib/http/answer'

/**
 * A route for the portal's own pages: JSON for a signed-in browser, not part of the API. `read` checks who is asking and what they
 * may do; what it throws becomes the usual error response.
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
