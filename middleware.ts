import { type NextRequest, NextResponse } from 'next/server'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { Answer, toResponse } from '@/lib/http/answer'
import { isPage, newNonce, pagePolicy } from '@/lib/http/page-policy'
import { serviceRequest } from '@/lib/http/request'
import { routeRequest } from '@/lib/http/route-request'
import { refuseWithoutKey } from '@/lib/server/key-gate'
import { countRefused } from '@/lib/server/limited-paths'
import { holdForLog } from '@/lib/telemetry/request-log'

/**
 * Host to path, and no keyless request beyond this point, by the same functions as `server.ts`. Nothing depends on it: every handler
 * checks its key itself.
 */
export async function middleware(request: NextRequest): Promise<Response> {
  const { method, headers, nextUrl } = request
  const asked = { host: headers.get('host'), path: nextUrl.pathname, method, accept: headers.get('accept') }
  const routed = routeRequest(asked, env())
  if ('misdirected' in routed) {
    const answer = new Answer(request.method)
    await countRefused(request, nextUrl.pathname, answer)
    return toResponse(answer.error(new ServiceError('misdirected', routed.misdirected)))
  }
  const refusal = refuseWithoutKey(serviceRequest(request), routed.path)
  if (refusal) {
    const reply = await refusal
    holdForLog()
    return toResponse(reply)
  }
  return isPage(routed.path) ? answerPage(request, routed.path) : onward(request, routed.path)
}

/** Passes a request on to its path, optionally with other headers. */
function onward(request: NextRequest, path: string, headers = request.headers): NextResponse {
  const { pathname, search } = request.nextUrl
  const changed = headers === request.headers ? {} : { request: { headers } }
  return path === pathname
    ? NextResponse.next(changed)
    : NextResponse.rewrite(new URL(path + search, request.url), changed)
}

/** A page with its policy. Next reads the nonce of its scripts from the request, so one that a client sent is overwritten. */
function answerPage(request: NextRequest, path: string): NextResponse {
  // Development compiles in the browser, which the policy forbids.
  const policy = env().production ? pagePolicy(newNonce()) : undefined
  const headers = new Headers(request.headers)
  // Passes a page its own path, which Next does not, for the return after signing in.
  headers.set('x-plumbline-path', path + request.nextUrl.search)
  if (policy) headers.set('content-security-policy', policy['content-security-policy'])
  const response = onward(request, path, headers)
  for (const [name, value] of Object.entries(policy ?? {})) response.headers.set(name, value)
  return response
}

// Next holds a body that passes here in memory, and cuts it at 10 MB: uploads (lib/core/uploads.ts) go straight to their routes, which
// check the host themselves. The matcher is read from this text, so the paths stand here once more.
export const config = {
  runtime: 'nodejs',
  matcher: '/((?!_next/static/|data/load/files$|api/v1/loads/|api/webhooks/mail/).*)',
}
