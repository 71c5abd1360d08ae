import { openCollector } from './collector'
import { expect, get, test } from './fixtures'
import { ANA, post, UNLIMITED } from './lead'
import { kindOf, launch, makeHome } from './running'
import { stockOf } from './stock'

test.setTimeout(120_000)

const [TRACE, CALLER] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const traceparent = `00-${TRACE}-${CALLER}-01`

test('requests and their statements are traced to a collector, the caller’s trace goes on, and nothing secret is told', async ({
  driver,
}) => {
  const collector = await openCollector()
  const home = await makeHome(driver, 'stocked')
  const { id, key, leadKey } = stockOf(kindOf(driver)).spare
  const env = { ...UNLIMITED, ...collector.env, LOG_LEVEL: 'debug', OTEL_BSP_SCHEDULE_DELAY: '200' }
  const running = await (await launch('server', home, env)).ready()
  const asked = { url: running.url, key }
  const listed = await get(asked, '/api/v1/invoices?limit=5&status=overdue&api_key=hush-hush', {
    headers: { traceparent },
  })
  await get(asked, `/api/v1/invoices/${key}`)
  await post(running.url, leadKey, { ...ANA, externalId: 'traced' })
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_invoices', arguments: {} } }
  await post(running.url, key, rpc, '/mcp/rpc')
  expect(await running.end()).toBe(0)
  collector.close()
  expect(collector.faults).toEqual([])
  expect([...collector.services]).toEqual(['plumbline'])

  const called = (name: string) => collector.spans.filter((span) => span.name === name)
  const [list] = called('list_invoices').filter(({ traceId }) => traceId === TRACE)
  expect(list).toMatchObject({
    parentSpanId: CALLER,
    kind: 2,
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.path': '/api/v1/invoices',
      'plumbline.contractor.id': id,
      'plumbline.key.id': expect.stringMatching(/^key_/),
      'plumbline.request.id': listed.headers.get('x-request-id'),
    },
  })
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === list?.spanId)
  expect(statements.length).toBeGreaterThan(0)
  for (const { kind, traceId, attributes } of statements)
    expect([kind, traceId, attributes['db.system.name']]).toEqual([3, TRACE, 'postgresql'])
  expect(called('get_invoice')[0]?.attributes).toMatchObject({
    'http.response.status_code': 404,
    'error.type': 'not_found',
  })
  const [lead] = called('create_lead')
  expect(lead?.attributes['http.response.status_code']).toBe(201)
  expect(collector.spans.some(({ parentSpanId }) => parentSpanId === lead?.spanId)).toBe(true)
  expect(called('list_invoices').some(({ attributes }) => attributes['mcp.method.name'] === 'tools/call')).toBe(true)

  // Work done after a request is not part of its trace.
  expect(called('plumbline_write_requests')).toEqual([])

  const secrets = [key, leadKey, 'hush-hush', 'ana@example.com', 'López', 'Roof']
  for (const secret of secrets) expect(collector.text()).not.toContain(secret)
  const line = running.output.split('\n').find((text) => text.includes(String(listed.headers.get('x-request-id'))))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ operation: 'list_invoices', status: 200, traceId: TRACE })
  await home.remove()
})
