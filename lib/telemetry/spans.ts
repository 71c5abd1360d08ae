import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { registerOTel } from '@vercel/otel'
import { type Around, aroundStatements } from '@/db/statements'
import { setLogContext } from '@/lib/core/log'
import { SERVICE } from '@/lib/core/service'
import { pathOf } from './record'
import type { Traced, TracedEnd } from './tracing'

const HEADERS = {
  get: (headers: Traced['headers'], name: string) => headers.get(name) ?? undefined,
  keys: () => [],
}

/** Uses the stable semantic conventions of HTTP; the path without keys, and never a query, a header or a body. */
function endRequest(span: Span, { url }: Traced, answer: TracedEnd, status: number): void {
  span.updateName(answer.endpoint)
  span.setAttributes({
    'http.response.status_code': status,
    'url.path': pathOf(url),
    'plumbline.request.id': answer.requestId,
    ...(answer.mcpMethod && { 'mcp.method.name': answer.mcpMethod }),
    ...(answer.errorCode && { 'error.type': answer.errorCode }),
    ...(answer.actor && {
      'plumbline.contractor.id': answer.actor.contractorId,
      'plumbline.key.id': answer.actor.keyId,
    }),
  })
  // A client's mistake is not an error of the server (HTTP spans, "Status").
  if (answer.countsAs(status) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function requestSpan(tracer: Tracer) {
  return async <R extends { status: number }>(request: Traced, answer: TracedEnd, work: () => Promise<R>) => {
    // Under Next's own entry its span already exists and has read the caller's `traceparent`.
    const isInside = trace.getActiveSpan() !== undefined
    const parent = isInside ? context.active() : propagation.extract(ROOT_CONTEXT, request.headers, HEADERS)
    const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER
    const attributes = { 'http.request.method': request.method, 'url.scheme': 'http' }
    return tracer.startActiveSpan(answer.endpoint, { kind, attributes }, parent, async (span) => {
      try {
        const reply = await work()
        endRequest(span, request, answer, reply.status)
        return reply
      } finally {
        span.end()
      }
    })
  }
}

/** The name of the span of the time in which a statement waited for a connection. */
const WAITING = 'wait for connection'

/**
 * A child span for a request's statement, and one within it for the time in which it waited for a connection; work after the request, such as
 * its log, is not traced.
 */
function statementSpan(tracer: Tracer): Around {
  return async (part, run) => {
    if (!trace.getActiveSpan()?.isRecording()) return run()
    const { name } = part
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
    return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await run()
      } catch (error) {
        const code = Object(error).code
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', typeof code === 'string' ? code : 'other')
        throw error
      } finally {
        part.goesOn()
        if (part.waitedMs >= 1) {
          const end = part.began + part.waitedMs
          tracer.startSpan(WAITING, { startTime: part.began }, trace.setSpan(context.active(), span)).end(end)
        }
        span.end()
      }
    })
  }
}

/** Sets OpenTelemetry up by its own `OTEL_…` variables, for requests, statements and log lines. Nothing else is instrumented. */
export function makeTracing(serviceName: string) {
  registerOTel({
    serviceName,
    attributes: { 'service.version': SERVICE.version },
    instrumentations: [],
  })
  const tracer = trace.getTracer('plumbline', SERVICE.version)
  aroundStatements(statementSpan(tracer))
  setLogContext(() => {
    const span = trace.getActiveSpan()?.spanContext()
    return span ? { traceId: span.traceId, spanId: span.spanId } : {}
  })
  return { request: requestSpan(tracer), flush: flushProvider }
}

/** The API's provider type does not declare the SDK's flush. */
async function flushProvider(): Promise<void> {
  const provider = Object(trace.getTracerProvider())
  const sdk = Object(provider.getDelegate?.() ?? provider)
  await sdk.forceFlush?.()
}
