import { readFileSync } from 'node:fs'
import { expect, get, makeContractor, test } from './fixtures'
import { ANA, INBOUND, post } from './lead'
import { sendRaw } from './raw'
import { plumbline } from './running'

test('a lead is a project at once, on both lists and in delta sync; sent again it is the same one', async ({
  service,
}) => {
  const { url, leadKey } = service
  const since = new Date(Date.now() - 1_000).toISOString()
  const created = await post(url, leadKey, { ...ANA, externalId: 'first' })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({
    success: true,
    projectId: expect.any(String),
    jobNumber: expect.any(Number),
    message: expect.any(String),
  })
  const again = await post(url, leadKey, { ...ANA, externalId: 'first' })
  expect([again.status, again.body]).toEqual([
    200,
    { success: true, projectId: created.body.projectId, duplicate: true, message: expect.any(String) },
  ])
  const { body } = await get(service, `/api/v1/projects?status=lead&updatedAfter=${since}`)
  const project = body.items.find(({ id }: { id: string }) => id === created.body.projectId)
  expect(project).toMatchObject({ status: 'lead', contractorId: service.contractorId })
  expect((await get(service, `/api/v1/customers/${project.customerId}`)).body).toMatchObject({ name: 'Ana López' })
})

type Case = {
  title: string
  body?: string
  key?: string
  headers?: Record<string, string>
  path?: string
  method?: string
  status: number
  code?: string
}
const TABLE: Case[] = [
  { title: 'faulty fields', body: '{"lastName":1}', status: 400, code: 'bad_request' },
  { title: 'no JSON', body: '{', status: 400, code: 'bad_request' },
  { title: 'no body', body: '', status: 400, code: 'bad_request' },
  { title: 'a name twice', body: '{"a":1,"a":2}', status: 400, code: 'bad_request' },
  { title: 'no key', key: '', status: 401, code: 'unauthorized' },
  { title: 'a wrong key', key: 'plb_live_x', status: 401, code: 'unauthorized' },
  { title: 'two keys that differ', headers: { authorization: 'Bearer other' }, status: 401, code: 'unauthorized' },
  { title: 'a key without the scope', key: 'reader', status: 403, code: 'forbidden' },
  { title: 'a source that is none', path: '/api/webhooks/leads/nobody', status: 404, code: 'not_found' },
  { title: 'a path below', path: `${INBOUND}/x`, status: 404, code: 'not_found' },
  { title: 'the folder', path: '/api/webhooks/leads', status: 404, code: 'not_found' },
  { title: 'capitals', path: '/api/webhooks/leads/Inbound', status: 404, code: 'not_found' },
  { title: 'PUT', method: 'PUT', status: 405, code: 'method_not_allowed' },
  { title: 'PATCH', method: 'PATCH', status: 405, code: 'method_not_allowed' },
  {
    title: 'a body over 64 KB',
    body: JSON.stringify({ ...ANA, x: 'x'.repeat(70_000) }),
    status: 413,
    code: 'payload_too_large',
  },
  { title: 'a body over 1 MB', body: `{"x":"${'x'.repeat(1_200_000)}"}`, status: 413, code: 'payload_too_large' },
  { title: 'plain text', headers: { 'content-type': 'text/plain' }, status: 415, code: 'unsupported_media_type' },
  {
    title: 'a test lead',
    path: '/api/webhooks/leads/google-ads',
    body: readFileSync('lib/leads/sources/fixtures/google-ads-test.json', 'utf8'),
    status: 200,
  },
]

function keyHeader(service: { key: string; leadKey: string }, { key }: Pick<Case, 'key'>): Record<string, string> {
  if (key === '') return {}
  return { 'x-api-key': key === 'reader' ? service.key : (key ?? service.leadKey) }
}

test('every refusal is the documented one, with its headers, over this entry and database as over the others', async ({
  service,
}) => {
  for (const { path = INBOUND, method = 'POST', status, code, ...asked } of TABLE) {
    await test.step(asked.title, async () => {
      const { body = JSON.stringify(ANA), headers } = asked
      const response = await fetch(`${service.url}${path}`, {
        method,
        body,
        headers: { 'content-type': 'application/json', ...keyHeader(service, asked), ...headers },
      })
      const answer = await response.json()
      expect(response.status, asked.title).toBe(status)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      if (status !== 404 || path.endsWith('yelp')) expect(response.headers.get('x-ratelimit-limit')).toBe('1000000')
      if (code)
        expect(answer).toMatchObject({
          code,
          error: expect.any(String),
          requestId: response.headers.get('x-request-id'),
        })
      if (status === 405) expect(response.headers.get('allow')).toBe('POST, OPTIONS')
    })
  }
})

test('the webhook is served on the data API host, not on the MCP host', async ({ service }) => {
  const body = JSON.stringify(ANA)
  const ask = (host: string) =>
    sendRaw(
      service.running.port,
      `POST ${INBOUND} HTTP/1.1\r\nHost: ${host}\r\nx-api-key: ${service.leadKey}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  expect((await ask('api.localhost')).status).toBe(201)
  expect((await ask('mcp.localhost')).status).toBe(421)
})

test('the command line shows every delivery and runs a refused one again, edited', async ({ service }) => {
  const { home, url, contractorId } = service
  const { leadKey, id: contractor } = await makeContractor(home, `Deliveries ${Date.now()}`)
  const leads = (...args: string[]) => plumbline(home, 'leads', ...args)
  await post(url, leadKey, { firstName: 'Bo', phone: '6155550142', apiKey: leadKey })
  const [refused] = JSON.parse(leads('list', '--contractor', contractor, '--json').stdout)
  expect(refused).toMatchObject({
    outcome: 'refused',
    status: 400,
    faults: [{ field: 'lastName', message: 'is required' }],
  })
  const shown = leads('show', refused.id)
  expect(shown.stdout).toContain('"firstName":"Bo"')
  expect(shown.stdout).not.toContain(leadKey)
  expect(leads('replay', refused.id).stdout).toMatch(/^refused: lastName: is required/)
  const asZapier = leads('replay', refused.id, '--source', 'zapier')
  expect(asZapier.stdout).toMatch(/^created: prj_\w+, job 1\./)
  expect(leads('replay', refused.id, '--source', 'zapier').stdout).toMatch(/^duplicate: prj_\w+\./)
  expect(leads('list', '--contractor', contractor).stdout).toMatch(/run again: duplicate/)
  const tried = JSON.parse(
    leads('try', 'lib/leads/sources/fixtures/thumbtack-v4.json', '--contractor', contractorId).stdout,
  )
  expect(tried).toMatchObject({ source: 'thumbtack', category: 'thumbtack', answer: { status: 200 } })
  for (const [args, says] of [
    [['show', 'dlv_none'], 'There is no delivery'],
    [['list', '--contractor', contractor, '--outcome', 'lost'], 'Give one of created'],
    [['replay', refused.id, '--body', '/nowhere'], 'cannot be read'],
  ] as const) {
    const { status, stderr } = leads(...args)
    expect(status).not.toBe(0)
    expect(stderr).toContain(says)
  }
})
