import { webHandler } from '@/lib/http/endpoint'
import { unknownPath } from '@/lib/http/rest/route'

/** Whatever else is asked of the API: JSON 404 */
const handler = webHandler(unknownPath)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
