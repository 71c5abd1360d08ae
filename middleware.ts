import { type NextRequest, NextResponse } from 'next/server'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { Answer, type Reply, toResponse } from '@/lib/http/answer'
import { isPage, newNonce, pagePolicy } from '@/lib/http/page-policy'
import { serviceRequest } from '@/lib/http/request'
import { routeRequest } from '@/lib/http/route-request'
import { holdForLog } from '@/lib/telemetry/request-log'
import { lacksKey } from './lib/http/keyless'

/** Loads what refuses a request: it knows every operation, and the first request that is refused loads it. */
const gate = () => import('@/lib/server/key-gate')

async function misdirected(request: NextRequest, message: string): Promise<Reply> {
  const answer = new Answer(request.method)
  await (await gate()).countRefused(request, request.nextUrl.pathname, answer)
  return answer.error(new ServiceError('misdirected', message))
}

/** The refusal of a request that needs a key and has none that could be one. */
async function withoutKey(request: NextRequest, path: string): Promise<Reply | undefined> {
  return lacksKey(request, path) ? await (await gate()).refuseWithoutKey(serviceRequest(request), path) : undefined
}

function refuse(reply: Reply): Response {
  holdForLog()
  return toResponse(reply)
}

/**
 * Maps host to path, and lets no keyless request beyond this point, wherever Next answers. Nothing depends on it: every handler checks its
 * key itself, as it does behind the one-machine server.
 */
export async function middleware(request: NextRequest): Promise<Response> {
  const { method, headers, nextUrl } = request
  const asked = { host: headers.get('host'), path: nextUrl.pathname, method, accept: headers.get('accept') }
  const routed = routeRequest(asked, env())
  if ('misdirected' in routed) return refuse(await misdirected(request, routed.misdirected))
  const { path } = routed
  const refusal = await withoutKey(request, path)
  if (refusal) return refuse(refusal)
  return isPage(path) ? answerPage(request, path) : onward(request, path)
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
