import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError, toServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { Part, withParts } from '@/lib/core/parts'
import { Answer } from '@/lib/http/answer'
import { noteSlow } from '@/lib/http/logged'
import { consumeLocalLimit } from '@/lib/limits/limiter'
import { subjectOf } from './address'
import { answerCached, cachePage, pageKey } from './page-cache'
import { refusePage } from './refuse'
import { renderGate } from './render-gate'
import { pathOf } from './route'

/** The status of a page whose visitor left before it was rendered, as proxies log it. */
const LEFT = 499

/** Returns the name of a page for the log: what follows its first segment may be a secret, as in an invitation. */
const nameOf = (request: IncomingMessage) => `page /${pathOf(request).split('/')[1] ?? ''}`

/** Returns what a page that failed is answered with when its database had too much to do, was full or away; undefined for every other. */
function overloadOfPage(status: number, { timed, requestId, endpoint: operation }: Answer): ServiceError | undefined {
  if (status !== 500 || timed.overload === undefined) return undefined
  logFault({ requestId, operation }, timed.overload)
  return toServiceError(timed.overload)
}

/**
 * Watches a page from now on until its head is sent, which is when all of its data has been read: one that fails because of its database is
 * 503 as a request to the API is, and a slow one leaves where its time went. Next knows neither.
 * @returns what renders the page, once it is its turn
 */
function watchPage(request: IncomingMessage, response: ServerResponse): (render: () => unknown) => void {
  const { method = 'GET' } = request
  const answer = new Answer(method)
  answer.endpoint = nameOf(request)
  const turn = new Part({ name: 'turn to be rendered' })
  answer.timed.begin(turn)
  let [isWaiting, isNoted] = [true, false]
  const endWait = () => {
    if (isWaiting) answer.timed.end(turn)
    isWaiting = false
  }
  const note = (status: number) => {
    endWait()
    if (!isNoted) noteSlow({ method }, answer, { status })
    isNoted = true
  }
  response.once('close', () => note(LEFT))
  const { writeHead } = response
  response.writeHead = (...given: unknown[]) => {
    const [status, ...rest] = given
    const overload = overloadOfPage(Number(status), answer)
    const sent = overload?.status ?? Number(status)
    for (const [name, value] of Object.entries(overload?.headers ?? {})) response.setHeader(name, value)
    note(sent)
    return Reflect.apply(writeHead, response, [sent, ...rest])
  }
  return (render) => {
    endWait()
    withParts(answer.timed, render)
  }
}

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
