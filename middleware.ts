import { type NextRequest, NextResponse } from 'next/server'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { Answer, toResponse } from '@/lib/http/answer'
import { isMisspelledApiPath, routeHost } from '@/lib/http/hosts'

/** Host to path, by the same functions as `server.ts`. It guards nothing: every handler checks its key itself. */
export function middleware(request: NextRequest) {
  const { pathname, search } = request.nextUrl
  const path = isMisspelledApiPath(pathname) ? '/api/unknown' : pathname
  const routed = routeHost(request.headers.get('host'), path, env())
  if ('misdirected' in routed)
    return toResponse(new Answer(request.method).error(new ServiceError('misdirected', routed.misdirected)))
  return routed.path === pathname
    ? NextResponse.next()
    : NextResponse.rewrite(new URL(routed.path + search, request.url))
}

export const config = { runtime: 'nodejs', matcher: '/((?!_next/static|_next/image).*)' }
