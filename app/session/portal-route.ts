import 'server-only'
import { Answer, toResponse } from '@/lib/http/answer'

/**
 * A route of the portal's own pages: JSON for a signed-in browser, no part of the API. `read` looks up who asks and what they may;
 * what it throws is answered as an error is everywhere.
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
