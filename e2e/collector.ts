import { createServer, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { listenOnFreePort } from '../lib/core/listen'

const Value = z.union([
  z.object({ stringValue: z.string() }).transform((value): unknown => value.stringValue),
  z.object({ intValue: z.coerce.number() }).transform((value): unknown => value.intValue),
  z.object({ doubleValue: z.number() }).transform((value): unknown => value.doubleValue),
  z.object({ boolValue: z.boolean() }).transform((value): unknown => value.boolValue),
  z.unknown(),
])
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])))

/** The OTLP 1.x request as JSON (opentelemetry-proto, ExportTraceServiceRequest): the fields that the tests use. */
const Request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: z.coerce.bigint(),
              endTimeUnixNano: z.coerce.bigint(),
              attributes: Attributes,
              status: z.object({ code: z.number().optional() }).default({}),
            }),
          ),
        }),
      ),
    }),
  ),
})
export type CollectedSpan = z.output<typeof Request>['resourceSpans'][number]['scopeSpans'][number]['spans'][number]

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

/** Starts a collector that accepts traces by OTLP over HTTP as JSON, and keeps them both parsed and as text. */
export async function openCollector() {
  const spans: CollectedSpan[] = []
  const services = new Set<unknown>()
  const texts: string[] = []
  const faults: unknown[] = []
  const server = createServer(async (request, response) => {
    const text = (await bodyOf(request)).toString()
    texts.push(text)
    try {
      for (const { resource, scopeSpans } of Request.parse(JSON.parse(text)).resourceSpans) {
        services.add(resource.attributes['service.name'])
        spans.push(...scopeSpans.flatMap((scope) => scope.spans))
      }
    } catch (fault) {
      faults.push(fault)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await listenOnFreePort(server)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
  return { env, spans, services, text: () => texts.join('\n'), faults, close: () => server.close() }
}
