import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
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

test('a statement that had to wait for a connection has that wait in a span of its own', async ({ driver }) => {
  const collector = await openCollector()
  const home = await makeHome(driver, 'stocked')
  const { key, leadKey } = stockOf(kindOf(driver)).spare
  const env = { ...UNLIMITED, ...collector.env, DATABASE_POOL_SIZE: '1', OTEL_BSP_SCHEDULE_DELAY: '200' }
  const running = await (await launch('server', home, env)).ready()
  const asked = { url: running.url, key }
  await get(asked, '/api/v1/projects')
  const other = new Client({ connectionString: home.postgresUrl })
  await other.connect()
  await other.query('begin; lock table leads')
  const lead = post(running.url, leadKey, { ...ANA, externalId: 'holds the only connection' })
  const waiting = async () =>
    (
      await other.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount
  await expect.poll(waiting).toBe(1)
  const listed = get(asked, '/api/v1/projects', { headers: { traceparent } })
  // The list asks for the connection in this time.
  await sleep(300)
  await other.query('rollback')
  await other.end()
  expect([(await lead).status, (await listed).status]).toEqual([201, 200])
  expect(await running.end()).toBe(0)
  collector.close()
  const of = (parent: string | undefined) => collector.spans.filter(({ parentSpanId }) => parentSpanId === parent)
  const list = collector.spans.find(({ name, traceId }) => name === 'list_projects' && traceId === TRACE)
  const [statement] = of(list?.spanId).filter(({ name }) => name.includes('page_projects'))
  const [wait] = of(statement?.spanId)
  expect(wait?.name).toBe('wait for connection')
  expect(Number(wait?.endTimeUnixNano)).toBeGreaterThan(Number(statement?.startTimeUnixNano))
  expect(Number(wait?.endTimeUnixNano)).toBeLessThan(Number(statement?.endTimeUnixNano))
  await home.remove()
})
