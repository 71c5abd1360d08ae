import { Client } from 'pg'
import { expect, makeKey, test } from './fixtures'
import { ACCEPT, connect, hello, INITIALIZED, LIST, PING, rpcError, type Session, send } from './mcp'
import { Processes } from './processes'
import { command, kindOf } from './running'
import { stockOf } from './stock'

/** Calls a permit check, and reads its stream up to the question for the person. */
async function askedBy(url: string, key: string, session: Session) {
  const params = {
    name: 'check_permit_requirements',
    arguments: { jurisdiction: 'us-tn-nashville', workTypes: ['fence'] },
  }
  const { body } = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, 'x-api-key': key, ...session },
    body: JSON.stringify({ jsonrpc: '2.0', id: 11, method: 'tools/call', params }),
  })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => (await reader?.read())?.value
  const question = /^data: (.*elicitation\/create.*)$/m
  let text = ''
  while (!question.test(text)) {
    const part = await next()
    if (part === undefined) throw new Error(`the stream ended without a question: ${text}`)
    text += part
  }
  const { id }: { id: string } = JSON.parse(question.exec(text)?.[1] ?? '')
  /** Returns what comes after it, up to the end. */
  const rest = async () => {
    let last = ''
    for (let part = await next(); part !== undefined; part = await next()) last += part
    return last
  }
  return { id, rest }
}

// The states of a session (specification 3.3), cell by cell: over Postgres on two processes, and over PGlite on one.
test.describe('a session', () => {
  let all: Processes
  let [contractor, key, sibling, stranger] = ['', '', '', '']

  test.beforeAll(async ({ entry, driver }) => {
    test.setTimeout(120_000)
    all = await Processes.prepare(entry, driver)
    const { spare, key: other } = stockOf(kindOf(driver))
    ;[contractor, key, sibling, stranger] = [spare.id, spare.key, spare.agentKey, other]
    await all.start()
  })
  test.afterAll(() => all.remove())

  const use = (session: Partial<Session>, as = key, url = all.there) =>
    send(url, { key: as, headers: session, body: PING })
  const end = (session: Partial<Session>, as: string | undefined = key, url = all.there) =>
    send(url, { method: 'DELETE', key: as, headers: session })

  test('none → active: initialize answers with its name and the version both speak', async () => {
    for (const [asked, agreed] of [
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
      ['2024-11-05', '2024-11-05'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const { status, headers, body } = await send(all.here, { key, body: hello(asked) })
      expect([status, headers.get('mcp-protocol-version')], asked).toEqual([200, agreed])
      // 192 bits, in characters that are valid in a header.
      expect(headers.get('mcp-session-id')).toMatch(/^mcp_[\w-]{32}$/)
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 0, result: { protocolVersion: agreed } })
    }
    const keyless = await send(all.here, { body: hello() })
    expect([keyless.status, keyless.headers.get('mcp-session-id')]).toEqual([401, null])
  })

  test('active → active, on another process: 200 for a request, 202 with nothing for a notification', async () => {
    const session = await connect(all.here, key)
    const listed = await send(all.there, { key, headers: session, body: LIST })
    expect([listed.status, listed.body.id]).toEqual([200, 8])
    expect(listed.body.result.tools.length).toBeGreaterThan(3)
    expect(listed.headers.get('content-type')).toContain('application/json')
    const told = await send(all.there, { key, headers: session, body: INITIALIZED })
    expect([told.status, told.text]).toEqual([202, ''])
  })

  test('another key, of this contractor or of another: 403, and the session is as it was', async () => {
    const session = await connect(all.here, key)
    for (const other of [sibling, stranger]) {
      for (const url of [all.here, all.there]) {
        expect(await use(session, other, url)).toMatchObject({ status: 403, body: rpcError(-32003, 7) })
        expect(await end(session, other, url)).toMatchObject({ status: 403, body: rpcError(-32003) })
      }
    }
    expect((await use(session)).status).toBe(200)
  })

  test('one that does not exist: 404; without its name: 400; its name without a key: 401', async () => {
    const session = await connect(all.here, key)
    const unknown = { ...session, 'mcp-session-id': `mcp_${'x'.repeat(32)}` }
    expect(await use(unknown)).toMatchObject({ status: 404, body: rpcError(-32001, 7) })
    expect(await end(unknown)).toMatchObject({ status: 404, body: rpcError(-32001) })
    const { 'mcp-session-id': id, 'mcp-protocol-version': version } = session
    expect(await use({ 'mcp-protocol-version': version })).toMatchObject({ status: 400, body: rpcError(-32600, 7) })
    for (const method of ['POST', 'DELETE'])
      expect((await send(all.there, { method, headers: { 'mcp-session-id': id } })).status).toBe(401)
    expect((await use(session)).status).toBe(200)
  })

  test('active → terminated: DELETE with both headers 200, with either missing 400; from then on 404 everywhere', async () => {
    const session = await connect(all.here, key)
    const { 'mcp-session-id': id, 'mcp-protocol-version': version } = session
    for (const partial of [{ 'mcp-session-id': id }, { 'mcp-protocol-version': version }, {}])
      expect(await end(partial)).toMatchObject({ status: 400, body: rpcError(-32600) })
    expect((await use(session)).status).toBe(200)
    expect((await end(session)).status).toBe(200)
    for (const url of [all.here, all.there]) {
      expect(await use(session, key, url)).toMatchObject({ status: 404, body: rpcError(-32001, 7) })
      expect((await end(session, key, url)).status).toBe(404)
    }
  })

  test('the successor of a rotated key has it too; once the keys are revoked it is over @slow', async ({ driver }) => {
    const keys = async (...args: string[]) => JSON.parse(await command(all.home, 'keys', ...args, '--json'))
    const first = await keys('create', '--contractor', contractor, '--name', 'first', '--preset', 'agent')
    const session = await connect(all.here, first.key)
    const second = await keys('rotate', first.id, '--overlap', '1h')
    for (const each of [first, second]) expect((await use(session, each.key)).status).toBe(200)
    // The other process knows for as long as its cache does (lib/http/rest/data-api.db.test.ts).
    const refused = (of: string) => expect.poll(async () => (await use(session, of)).status).toBe(401)
    await command(all.home, 'keys', 'revoke', first.id)
    await refused(first.key)
    expect((await use(session, second.key)).status).toBe(200)
    const third = await keys('rotate', second.id, '--overlap', 'now')
    await refused(second.key)
    expect((await use(session, third.key, all.here)).status).toBe(200)
    await command(all.home, 'keys', 'revoke', third.id)
    await refused(third.key)
    if (driver === 'pglite') return
    // No working key is left to ask with, so the test reads the database.
    const database = new Client({ connectionString: all.home.postgresUrl })
    await database.connect()
    const text = 'select ended_at from mcp_sessions where id = $1'
    const rows = async () => (await database.query(text, [session['mcp-session-id']])).rows
    await expect.poll(rows).toEqual([{ ended_at: expect.anything() }])
    await database.end()
  })

  test('every process ended and started again: it goes on, and one that was terminated stays so', async () => {
    test.setTimeout(120_000)
    const session = await connect(all.here, key)
    const over = await connect(all.here, key)
    expect((await end(over)).status).toBe(200)
    await all.stop()
    await all.start()
    for (const url of [all.here, all.there]) {
      expect((await use(session, key, url)).status).toBe(200)
      expect((await use(over, key, url)).status).toBe(404)
      expect((await use(session, stranger, url)).status).toBe(403)
    }
    expect((await end(session)).status).toBe(200)
    // A process that has just used it knows it for four seconds, as it knows a key.
    await expect.poll(async () => (await use(session, key, all.here)).status).toBe(404)
  })

  test('a question asked by one process is answered at the other; when the one that asked dies, its stream ends', async ({
    driver,
  }) => {
    test.skip(driver === 'pglite', 'one process holds an embedded database')
    test.setTimeout(120_000)
    const capabilities = { elicitation: {} }
    const { headers } = await send(all.here, { key, body: { ...hello(), params: { ...hello().params, capabilities } } })
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
    const began = performance.now()
    const asked = await askedBy(all.here, key, session)
    const answer = { jsonrpc: '2.0', id: asked.id, result: { action: 'decline' } }
    expect((await send(all.there, { key, headers: session, body: answer })).status).toBe(202)
    expect(await asked.rest()).toContain('"structuredContent"')
    // It looks once a second, and would otherwise have waited for 50.
    expect(performance.now() - began).toBeLessThan(20_000)

    const lost = await askedBy(all.here, key, session)
    const ended = lost.rest().then(
      () => 'ended',
      () => 'cut',
    )
    await all.kill()
    expect(await ended).toBe('cut')
    const late = { ...answer, id: lost.id }
    expect((await send(all.there, { key, headers: session, body: late })).status).toBe(202)
    expect((await use(session)).status).toBe(200)
    const again = await askedBy(all.there, key, session)
    expect((await send(all.there, { key, headers: session, body: { ...answer, id: again.id } })).status).toBe(202)
    expect(await again.rest()).toContain('"structuredContent"')
    await all.stop()
    await all.start()
  })

  test('a hundred requests in a minute with a key, over sessions and without; then 429, whatever comes @slow', async () => {
    const busy = await makeKey(all.home, contractor, 'agent')
    const session = await connect(all.here, busy)
    for (let i = 1; i < 100; i++) {
      const path = i % 2 === 0 ? '/mcp' : '/mcp/rpc'
      const { status, headers } = await send(all.here, { path, key: busy, headers: session, body: LIST })
      expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], `${i}`).toEqual([
        200,
        '100',
        String(99 - i),
      ])
    }
    for (const message of [
      { body: PING },
      { body: 'no JSON' },
      { method: 'DELETE' },
      { path: '/mcp/rpc', body: LIST },
    ]) {
      const { status, headers, body } = await send(all.here, { ...message, key: busy, headers: session })
      expect([status, body]).toEqual([429, { error: 'rate_limited', message: expect.any(String), code: 429 }])
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(headers.get('x-ratelimit-remaining')).toBe('0')
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1)
    }
    expect((await use(await connect(all.here, sibling), sibling, all.here)).status).toBe(200)
  })
})
