import 'server-only'
import type { LeavesCookies } from '@/lib/auth/people/visitor'
import { SsoRefusal } from '@/lib/auth/sso/refusal'
import { baseUrls, env } from '@/lib/core/env'
import { isOurs, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'

/** Sends the browser on, with cookies; nothing of it is stored anywhere. */
function sendTo(url: string, { setCookies }: LeavesCookies = { setCookies: [] }): Response {
  const headers = new Headers({ location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  for (const line of setCookies) headers.append('set-cookie', line)
  return new Response(null, { status: 303, headers })
}

/** Reports whether a page of ours, a bookmark or a typed address opens this one; a browser too old to say is let through. */
export function isOpenedHere(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** The page of a contractor's sign-in. */
const pageOf = (slug: string) => `${baseUrls(env()).portal}/sign-in/sso/${encodeURIComponent(slug)}`

/** Sends the browser to the page of a contractor's sign-in, where the person sees where they are. */
export const askFirst = (slug: string): Response => sendTo(pageOf(slug))

/** Answers a step of single sign-on: the browser goes on, or back to the contractor's page with the reason. */
export async function answerStep(
  slug: string,
  step: () => Promise<LeavesCookies & { url: string }>,
): Promise<Response> {
  const { portal } = baseUrls(env())
  const page = pageOf(slug)
  try {
    const { url, ...cookies } = await step()
    return sendTo(URL.canParse(url) ? url : portal + url, cookies)
  } catch (thrown) {
    if (thrown instanceof SsoRefusal) return sendTo(`${page}?why=${thrown.reason}`)
    const error = toServiceError(thrown)
    if (error.code === 'not_found') return sendTo(page)
    if (isOurs(error)) logFault({ requestId: newRequestId(), operation: 'sso' }, error.cause ?? error)
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...error.headers }
    return new Response(error.message, { status: error.code === 'rate_limited' ? 429 : 500, headers })
  }
}
