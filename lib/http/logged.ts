import { recognizedKey } from '@/lib/auth/key-cache'
import { keyInUrl, presentedKey } from '@/lib/auth/presented-key'
import { env } from '@/lib/core/env'
import { log, logs } from '@/lib/core/log'
import { takeLocalLimit } from '@/lib/limits/limiter'
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
  return takeLocalLimit('logged', 'logged', holder ?? 'no key').allowed
}

function logEnd(request: ServiceRequest, answer: Answer, status: number): void {
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

/** What is noted of a request waits for the end of its stream, which may still fail. */
function whenEnded({ stream }: Reply, note: () => void): void {
  if (stream) void stream.ended.then(note)
  else note()
}

/**
 * Wraps a handler so that it is counted, timed and traced under the endpoint's name, or the name its steps set. Every endpoint is
 * wrapped.
 */
export function observed(endpoint: string, steps: Steps): Answerer {
  const work: Steps = async (request, answer) => {
    const reply = await steps(request, answer)
    whenEnded(reply, () => {
      countRequest(answer, answer.countsAs(reply.status))
      if (logs('debug')) logAccess(request, answer, reply.status)
    })
    return reply
  }
  return (request) => {
    const answer = new Answer(request.method)
    answer.endpoint = endpoint
    return traced(request, answer, () => work(request, answer))
  }
}

/** The same, and records every request once in the request log, when it ends. */
export const logged = (endpoint: string, steps: Steps): Answerer =>
  observed(endpoint, async (request, answer) => {
    const reply = await steps(request, answer)
    if (logsRequests()) whenEnded(reply, () => logEnd(request, answer, reply.status))
    return reply
  })
