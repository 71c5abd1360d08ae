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

/** Compared by hashes of equal length, in a time that does not depend on how much of it is right. */
function isToken(authorization: string | null, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}

async function answerWith(request: ServiceRequest, answer: Answer, token: string): Promise<Reply> {
  requireMethod(request, ['GET', 'HEAD'], 'GET, HEAD')
  if (!isToken(request.headers.get('authorization'), token)) {
    // Only who has no token is limited: guessing is, scraping is not.
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

/** `GET /metrics` in the text format of Prometheus, for who has `METRICS_TOKEN`; without that setting there is no such path. */
export const metricsEndpoint: Endpoint = {
  path: '/metrics',
  answer: (request) => (env().metricsToken === undefined ? unknownPath(request) : known(request)),
  takesBody: false,
}
