import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { consumeLocalLimit } from '@/lib/limits/limiter'
import { subjectOf } from './address'
import { answerCached, cachePage, pageKey } from './page-cache'
import { refusePage } from './refuse'
import { renderGate } from './render-gate'
import { watchPage } from './watch-page'

type Pages = (request: IncomingMessage, response: ServerResponse) => unknown

const tooMany = (seconds: number) =>
  new ServiceError('rate_limited', `This address requested too many pages. Wait ${seconds} s, then reload.`, {
    headers: { 'retry-after': String(seconds) },
  })
const busy = () =>
  new ServiceError('busy', 'The server is rendering too many pages. Reload in a moment.', {
    headers: { 'retry-after': '5' },
  })

/** Counts a page, or what else Next is asked for; returns false after refusing an address that asked for too many. */
export function allowPage(request: IncomingMessage, response: ServerResponse): boolean {
  const { allowed, retryAfterMs } = consumeLocalLimit('pages', 'pages', subjectOf(request))
  if (!allowed) refusePage(request, response, tooMany(Math.max(1, Math.ceil(retryAfterMs / 1000))))
  return allowed
}

/**
 * Answers a page without slowing down the API: public pages are rendered once and cached, each address has a limit, and a page that
 * must be rendered waits for its turn.
 */
export function servePage(request: IncomingMessage, response: ServerResponse, pages: Pages): void {
  if (!allowPage(request, response)) return
  const key = pageKey(request)
  if (answerCached(key, request, response)) return
  const render = watchPage(request, response)
  const make = (made: () => void) => {
    response.once('close', made)
    // Another visitor's request may have rendered it in the meantime.
    if (answerCached(key, request, response)) return
    if (key) cachePage(key, request, response)
    render(() => pages(request, response))
  }
  const refuse = () => refusePage(request, response, busy())
  const leave = renderGate().enter(subjectOf(request), make, refuse, request.method === 'POST')
  response.once('close', leave)
}
