import { createHash, timingSafeEqual } from 'node:crypto'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { METRICS_TYPE, metricsText } from '@/lib/telemetry/metrics'
import type { Answer, Reply } from './answer'
import type { Endpoint } from './endpoint'
import { limitAddress } from './limit'
import { observed } from './logged'
import { requireMethod, type ServiceRequest } from './request'
import { unknownPath } from './rest/route'

const hash = (text: string) => createHash('sha256').update(text).digest()

/** Compares hashes of equal length, so that the time does not depend on how much matches. */
function isToken(authorization: string | null, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}

async function answerWith(request: ServiceRequest, answer: Answer, token: string): Promise<Reply> {
  requireMethod(request, ['GET', 'HEAD'], 'GET, HEAD')
  if (!isToken(request.headers.get('authorization'), token)) {
    // Only requests without the token are limited, because guessing should be limited and scraping should not.
    await limitAddress({ limit: 'dataApi', name: 'metrics' }, request, answer)
    throw new ServiceError('unauthorized', 'Send the token of METRICS_TOKEN as `Authorization: Bearer`.', {
      headers: { 'www-authenticate': 'Bearer realm="metrics"' },
    })
  }
  const text = await metricsText()
  answer.add({ 'content-type': METRICS_TYPE })
  return answer.json(text)
}

const known = observed('metrics', (request, answer) =>
  answerWith(request, answer, env().metricsToken ?? '').catch((error) => answer.error(error)),
)

/** `GET /metrics` in Prometheus's text format, for clients with `METRICS_TOKEN`; without that setting the path does not exist. */
export const metricsEndpoint: Endpoint = {
  path: '/metrics',
  answer: (request) => (env().metricsToken === undefined ? unknownPath(request) : known(request)),
}
