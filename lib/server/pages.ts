import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { takeLocalLimit } from '@/lib/limits/limiter'
import { subjectOf } from './address'
import { answerCached, cachePage, pageKey } from './page-cache'
import { refusePage } from './refuse'
import { renderGate } from './render-gate'

type Pages = (request: IncomingMessage, response: ServerResponse) => unknown

const tooMany = (seconds: number) =>
  new ServiceError('rate_limited', `This address requested too many pages. Wait ${seconds} s, then reload.`, {
    headers: { 'retry-after': String(seconds) },
  })
const busy = () =>
  new ServiceError('busy', 'The server is rendering too many pages. Reload in a moment.', {
    headers: { 'retry-after': '5' },
  })

/**
 * Answers a page without slowing down the API: public pages are rendered once and cached, each address has a limit, and a page that
 * must be rendered waits for its turn.
 */
export function servePage(request: IncomingMessage, response: ServerResponse, pages: Pages): void {
  const subject = subjectOf(request)
  const { allowed, retryAfterMs } = takeLocalLimit('pages', 'pages', subject)
  if (!allowed) {
    refusePage(request, response, tooMany(Math.max(1, Math.ceil(retryAfterMs / 1000))))
    return
  }
  const key = pageKey(request)
  if (answerCached(key, request, response)) return
  const make = (made: () => void) => {
    response.once('close', made)
    // Another visitor's request may have rendered it in the meantime.
    if (answerCached(key, request, response)) return
    if (key) cachePage(key, request, response)
    pages(request, response)
  }
  const refuse = () => refusePage(request, response, busy())
  const leave = renderGate().enter(subject, make, refuse, request.method === 'POST')
  response.once('close', leave)
}
