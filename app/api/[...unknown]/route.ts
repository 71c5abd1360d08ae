import { toResponse } from '@/lib/http/answer'
import { unknownPath } from '@/lib/http/route'

/** Whatever else is asked of the API: JSON 404 */
const handler = async (request: Request) => toResponse(await unknownPath(request))

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
