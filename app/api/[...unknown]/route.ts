import { unknownPath } from '@/lib/http/route'
import { webHandler } from '@/lib/wire/endpoint'

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
