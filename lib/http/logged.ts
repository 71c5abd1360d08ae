import { recognizedKey } from '@/lib/auth/key-cache'
import { keyInUrl, presentedKey } from '@/lib/auth/presented-key'
import { env } from '@/lib/core/env'
import { log, logs } from '@/lib/core/log'
import { type Shares, withParts } from '@/lib/core/parts'
import { consumeLocalLimit } from '@/lib/limits/limiter'
import { countRequest } from '@/lib/telemetry/metrics'
import { logRequest, logsRequests } from '@/lib/telemetry/request-log'
import { traced } from '@/lib/telemetry/tracing'
import { clientAddress } from './address'
import { Answer, type Reply } from './answer'
import type { Answerer } from './endpoint'
import type { ServiceRequest } from './request'

/** Handles a request with the given `Answer`, including its own errors. */
export type Steps = (request: ServiceRequest, answer: Answer) => Promise<Reply>

/** An attacker can cause unlimited refusals, so only some are logged; all are counted. */
function isKept(status: number, holder: string | undefined): boolean {
  if (holder !== undefined && status !== 429) return true
  return consumeLocalLimit('logged', 'logged', holder ?? 'no key').allowed
}

/** The method by which an agent calls a tool; its answer may be a stream. */
const CALL = 'tools/call'

/** A request that takes longer leaves where its time went. */
const SLOW_MS = 1_000

type Ended = Pick<Reply, 'status' | 'stream'>

/** Returns where the time of a slow request went; undefined for every other. A stream that lasts as long as its reader wants is none. */
function timingOf({ began, timed, mcpMethod }: Answer, { stream }: Ended): Shares | undefined {
  const durationMs = performance.now() - began
  if (durationMs - timed.asideMs < SLOW_MS || (stream && mcpMethod !== CALL)) return undefined
  return timed.sharesOf(durationMs)
}

/** Logs a request if it was slow, with the time of each of its statements. */
export function noteSlow({ method }: { method: string }, answer: Answer, reply: Ended): void {
  const timing = timingOf(answer, reply)
  if (!timing) return
  const { status } = reply
  const { requestId, endpoint: operation, actor } = answer
  const { waitedMs, oursMs, parts } = timing
  const durationMs = Math.round(performance.now() - answer.began)
  const shown = parts.map(({ name, ms, times }) => `${name} ${ms} ms${times > 1 ? ` (${times} times)` : ''}`).join(', ')
  const whose = { contractorId: actor?.contractorId, keyId: actor?.keyId }
  log(
    'warn',
    { requestId, operation, method, status, durationMs, waitedMs, oursMs, parts: shown, ...whose },
    'slow request',
  )
}

function logEnd(request: ServiceRequest, answer: Answer, status: number, timing: Shares | undefined): void {
  const { headers } = request
  const recognized = answer.actor ? undefined : recognizedKey(keyInUrl(request.url) ?? presentedKey(headers, true))
  // A key that was not let in (401) may be revoked; the database says whose it is.
  const actor = answer.actor ?? (status === 401 ? undefined : recognized?.actor)
  const record = {
    requestId: answer.requestId,
    endedAt: Date.now(),
    contractorId: actor?.contractorId,
    keyId: actor?.keyId,
    secretHash: actor ? undefined : recognized?.hash,
    method: request.method,
    url: request.url,
    endpoint: answer.endpoint,
    mcpMethod: answer.mcpMethod,
    status,
    errorCode: answer.errorCode,
    errorMessage: answer.errorMessage,
    errorFields: answer.errorFields,
    address: clientAddress(headers, env().proxyHops),
    durationMs: performance.now() - answer.began,
    userAgent: headers.get('user-agent'),
    timing,
  }
  logRequest(record, isKept(status, actor?.keyId))
}

/** Logs one line per request, without address, path or query, for operators who debug. */
function logAccess({ method }: ServiceRequest, answer: Answer, status: number): void {
  const { requestId, endpoint: operation, errorCode, actor } = answer
  const durationMs = Math.round((performance.now() - answer.began) * 10) / 10
  const whose = { contractorId: actor?.contractorId, keyId: actor?.keyId }
  log('debug', { requestId, operation, method, status, errorCode, durationMs, ...whose }, 'request')
}

/** Notes a request once its stream has ended, which may still fail until then. */
function whenEnded({ stream }: Reply, note: () => void): void {
  if (stream) void stream.ended.then(note)
  else note()
}

/** Counts and times a request that has ended, and records it in the request log where that is asked for. */
function noteEnd(request: ServiceRequest, answer: Answer, reply: Reply, isRecorded: boolean): void {
  const { status } = reply
  if (isRecorded && logsRequests()) logEnd(request, answer, status, timingOf(answer, reply))
  countRequest(answer, answer.countsAs(status))
  noteSlow(request, answer, reply)
  if (logs('debug')) logAccess(request, answer, status)
}

/**
 * Wraps a handler so that it is counted, timed and traced under the endpoint's name, or the name its steps set. Every endpoint is
 * wrapped.
 */
export function observed(endpoint: string, steps: Steps, isRecorded = false): Answerer {
  const work: Steps = async (request, answer) => {
    const reply = await steps(request, answer)
    whenEnded(reply, () => noteEnd(request, answer, reply, isRecorded))
    return reply
  }
  return (request) => {
    const answer = new Answer(request.method)
    answer.endpoint = endpoint
    return withParts(answer.timed, () => traced(request, answer, () => work(request, answer)))
  }
}

/** The same, and records every request once in the request log, when it ends. */
export const logged = (endpoint: string, steps: Steps): Answerer => observed(endpoint, steps, true)
