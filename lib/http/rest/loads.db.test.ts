import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { findJournal } from '@/db/queries/load-journal'
import { piecesAtOnce } from '@/db/queries/load-uploads'
import { forgetKeys } from '@/lib/auth/key-cache'
import { revokeKey } from '@/lib/auth/manage-keys'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { serviceRequest } from '@/lib/http/request'
import { acquireLoadTurn } from '@/lib/load/turn'
import { execute } from '@/lib/operations/execute'
import { operations } from '@/lib/operations/registry'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const CSV = 'Customer ID,Name,Email\nC1,Ana,ana@example.com\nC2,Ben,not an address\n'
const SIZE = Buffer.byteLength(CSV)

const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`plumbline-upload-${process.pid}-`))

async function makeSender() {
  const tenant = await makeTenant(db)
  const { text: key, id } = await tenant.key(['write:data'])
  const put = (
    body: string | Uint8Array<ArrayBuffer>,
    query = '',
    headers: Record<string, string> = {},
    file = 'customers.csv',
  ) => call(`/api/v1/loads/${file}${query}`, { key, method: 'PUT', body, headers })
  const part = (from: number, to: number, upload = 'a', text = CSV) =>
    put(text.slice(from, to), `?upload=${upload}`, { 'content-range': `bytes ${from}-${to - 1}/${text.length}` })
  const ask = (upload = 'a', size = SIZE) => put('', `?upload=${upload}`, { 'content-range': `bytes */${size}` })
  return { ...tenant, secret: key, keyId: id, put, part, ask }
}

const customersOf = async (contractorId: string) =>
  (
    await rows<{ n: number }>(db.orm, sql`select count(*)::int as n from users where contractor_id = ${contractorId}`)
  )[0]?.n

test('a file is loaded, its refused rows come back with their lines, and the key is in the audit log; again, nothing changes', async () => {
  const { contractor, secret, keyId, put } = await makeSender()
  const first = await put(CSV)
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    file: 'customers.csv',
    state: 'done',
    size: SIZE,
    read: 2,
    error: null,
    report: {
      files: [{ rows: 2, added: 1, refused: 1 }],
      faults: [{ line: 3, field: 'Email', value: 'not an address' }],
    },
  })
  const location = new URL(first.headers.get('location') ?? '')
  expect((await call(location.pathname, { key: secret })).body).toEqual(first.body)
  const again = await put(CSV)
  expect(again.body.report.files).toMatchObject([{ added: 0, updated: 0, unchanged: 1, refused: 1 }])
  const { items, next } = (await call('/api/v1/loads?limit=1', { key: secret })).body
  expect([items.map(({ id }: { id: string }) => id), items[0].counts.unchanged, next]).toEqual([
    [again.body.id],
    1,
    again.body.id,
  ])
  expect((await call(`/api/v1/loads?before=${next}`, { key: secret })).body.items).toMatchObject([
    { id: first.body.id },
  ])
  const [entry] = await listAudit(db.orm, { contractorId: contractor.id, event: 'data_loaded', limit: 1 })
  expect(entry).toMatchObject({
    actorKind: 'key',
    actorId: keyId,
    subject: 'customers.csv',
    detail: { rows: 2, isWhole: true },
  })
  expect(uploads()).toEqual([])
})

test.each([
  ['every row refused', 'Customer ID,Name\n,Ana\n', '', 'refused', /Every row of customers.csv was refused/],
  ['no such columns', 'Shade\nred\n', '', 'refused', /Nothing of customers.csv was loaded/],
  ['a NUL in a header', 'Customer ID,Name,Name\0\nC1,Ana,Ben\n', '', 'refused', /Name and Name {2}mean the same/],
  ['a quote that is not closed', 'Customer ID,Name\nC1,Ana\nC2,"Ben\n', '', 'partial', /not read to its end/],
  [
    'a complete file that is too short',
    'Customer ID,Name\nC1,Ana\n',
    '?complete=true',
    'partial',
    /at most 10% may be deleted/,
  ],
])('422, with the report: %s', async (_, body, query, state, error) => {
  const { put, load } = await makeSender()
  await load({ 'customers.csv': 'Customer ID,Name\nC1,Ana\nC2,Ben\nC3,Cid\n' })
  const answer = await put(body, query)
  expect(answer.status).toBe(422)
  expect(answer.body).toMatchObject({
    state,
    error: expect.stringMatching(error),
    report: { files: [{ file: 'customers.csv' }] },
  })
})

test('a complete file deletes what it no longer has, up to the share that is allowed; count deletes nothing', async () => {
  const { contractor, put, load } = await makeSender()
  await load({ 'customers.csv': 'Customer ID,Name\nC1,Ana\nC2,Ben\n' })
  const body = 'Customer ID,Name\nC1,Ana\n'
  const counted = await put(body, '?complete=count&maxDeleted=50')
  expect([counted.status, counted.body.complete, counted.body.report.files[0].removal]).toMatchObject([
    200,
    'count',
    { missing: 1, deleted: 0 },
  ])
  expect(await customersOf(contractor.id)).toBe(2)
  expect((await put(body, '?complete=true&maxDeleted=50')).body.report.files[0].removal).toMatchObject({ deleted: 1 })
  expect(await customersOf(contractor.id)).toBe(1)
})

test('gzip is inflated; what is no gzip, or ends early is refused and leaves nothing', async () => {
  const { contractor, put } = await makeSender()
  const gzip = { 'content-encoding': 'gzip' }
  expect((await put(new Uint8Array(gzipSync(CSV)), '', gzip)).body).toMatchObject({ state: 'done', size: SIZE })
  for (const body of [CSV, new Uint8Array(gzipSync(CSV).subarray(0, 40))]) {
    const { status, body: error } = await put(body, '', gzip)
    expect([status, error.error]).toEqual([400, expect.stringContaining('not valid gzip, or ends too early')])
  }
  expect((await put(CSV, '', { 'content-encoding': 'br' })).body.fields).toEqual([
    { field: 'encoding', message: 'must be gzip, or left out' },
  ])
  expect(await customersOf(contractor.id)).toBe(1)
  expect(uploads()).toEqual([])
})

test('Prefer: respond-async answers with where to poll, and holds the contractor’s turn until the load has ended', async () => {
  const { put, secret } = await makeSender()
  const text = `Customer ID,Name\n${Array.from({ length: 3000 }, (_, i) => `C${i},Customer ${i}`).join('\n')}\n`
  const begun = await put(text, '', { prefer: 'respond-async, wait=1' })
  expect([begun.status, begun.body.state, begun.body.report]).toEqual([202, 'running', null])
  expect((await put(CSV)).body).toMatchObject({
    code: 'conflict',
    error: expect.stringContaining('Wait until it is done'),
  })
  const path = new URL(begun.headers.get('location') ?? '').pathname
  await expect.poll(async () => (await call(path, { key: secret })).body.state, { timeout: 60_000 }).toBe('done')
  expect((await call(path, { key: secret })).body).toMatchObject({ read: 3000, report: { files: [{ added: 3000 }] } })
  expect((await put(CSV)).status).toBe(200)
})

/** Dates of both orders, which nobody but the office can tell. */
const PROJECTS =
  'Project ID,Customer ID,Name,Start Date\nP1,C1,Roof,03/25/2026\nP2,C1,Deck,25/03/2026\nP3,C1,Gate,03/02/2026\n'
const DAYS_FIRST = `?answers=${encodeURIComponent('{"dates":"dmy"}')}`

test('409 for a file with questions, which names them; nothing is loaded until they are answered, and answers are kept', async () => {
  const { contractor, secret, put, load } = await makeSender()
  await load({ 'customers.csv': 'Customer ID,Name\nC1,Ana\n' })
  const before = await findJournal(db.orm, contractor.id)
  const send = (query = '') => put(PROJECTS, query, {}, 'projects.csv')
  const { status, body } = await send()
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.error).toMatch(/Nothing of projects.csv was loaded: a question has to be answered first/)
  expect(body.fields).toEqual([
    { field: 'dates', message: expect.stringMatching(/the day or the month\?.*\(mdy, dmy\)$/) },
  ])
  expect(body.fields[0].message).not.toContain('--dates')
  const { items } = (await call('/api/v1/loads', { key: secret })).body
  expect(items).toMatchObject([{ state: 'refused', error: body.error, counts: null }])
  expect((await call(`/api/v1/loads/${items[0].id}`, { key: secret })).body).toMatchObject({
    state: 'refused',
    report: { files: [], questions: [{ kind: 'dates', key: 'dates', choices: ['mdy', 'dmy'] }] },
  })
  // The load before can still be taken back, and the log knows of no other.
  expect(await findJournal(db.orm, contractor.id)).toEqual(before)
  expect(await listAudit(db.orm, { contractorId: contractor.id, event: 'data_loaded', limit: 9 })).toEqual([])
  const answered = await send(DAYS_FIRST)
  expect([answered.status, answered.body.report.dates]).toEqual([200, expect.stringContaining('you said so')])
  expect((await send()).body).toMatchObject({ state: 'done', report: { files: [{ added: 0, updated: 0 }] } })
})

test('respond-async says in the load that it has questions; an upload in parts is kept for the answers', async () => {
  const { secret, put } = await makeSender()
  await put(CSV)
  const begun = await put(PROJECTS, '', { prefer: 'respond-async' }, 'projects.csv')
  const path = new URL(begun.headers.get('location') ?? '').pathname
  await expect.poll(async () => (await call(path, { key: secret })).body.state, { timeout: 60_000 }).toBe('refused')
  expect((await call(path, { key: secret })).body).toMatchObject({
    error: expect.stringContaining('`answers`'),
    report: { questions: [{ key: 'dates' }] },
  })
  const size = PROJECTS.length
  const part = (from: number, to: number, query: string) =>
    put(PROJECTS.slice(from, to), query, { 'content-range': `bytes ${from}-${to - 1}/${size}` }, 'projects.csv')
  await part(0, 40, '?upload=p')
  expect((await part(40, size, '?upload=p')).status).toBe(409)
  expect((await part(40, size, `${DAYS_FIRST}&upload=p`)).body).toMatchObject({ state: 'done', read: 3 })
})

test.each(['x', '[]', '{"dates":1}', `{"dates":"${'m'.repeat(5000)}"}`])(
  '400 for answers that are none: %.20s',
  async (answers) => {
    const { put } = await makeSender()
    const { status, body } = await put(CSV, `?answers=${encodeURIComponent(answers)}`)
    expect([status, body.fields[0].field]).toEqual([400, expect.stringMatching(/^answers/)])
  },
)

test('a load whose process was killed is shown as interrupted', async () => {
  const { contractor, secret } = await makeSender()
  await db.orm.execute(sql`insert into loads (id, contractor_id, file, size, state, read, created_at, seen_at)
    values (${`lod_${contractor.id}`}, ${contractor.id}, 'customers.csv', 1, 'running', 7, now() - interval '2 hours', now() - interval '1 hour')`)
  const { items } = (await call('/api/v1/loads', { key: secret })).body
  expect(items).toMatchObject([
    { state: 'interrupted', read: 7, error: expect.stringContaining('Send the file again') },
  ])
})

test('parts: what arrived counts, a gap is refused with where to go on, what is sent again is passed over, the last one loads', async () => {
  const { part, ask, secret } = await makeSender()
  expect((await ask()).body).toEqual({ upload: 'a', file: 'customers.csv', received: 0, size: SIZE })
  expect([(await part(0, 10)).status, (await ask()).body.received]).toEqual([202, 10])
  expect((await part(20, 30)).body).toMatchObject({ code: 'conflict', error: expect.stringContaining('bytes 10-') })
  expect((await part(0, 25)).body.received).toBe(25)
  expect((await part(5, 20)).body.received).toBe(25)
  expect((await call('/api/v1/loads', { key: secret })).body.items).toEqual([])
  const last = await part(25, SIZE)
  expect([last.status, last.body.state, last.body.size]).toEqual([200, 'done', SIZE])
  expect((await ask()).body.received).toBe(0)
})

test('parts of gzip are inflated together; a file that is none is forgotten, so that it can be sent again', async () => {
  const { put, ask } = await makeSender()
  const send = async (bytes: Uint8Array, upload: string) => {
    const half = bytes.length >> 1
    const range = (from: number, to: number) => ({
      'content-encoding': 'gzip',
      'content-range': `bytes ${from}-${to - 1}/${bytes.length}`,
    })
    await put(new Uint8Array(bytes.subarray(0, half)), `?upload=${upload}`, range(0, half))
    return await put(new Uint8Array(bytes.subarray(half)), `?upload=${upload}`, range(half, bytes.length))
  }
  expect((await send(gzipSync(CSV), 'zip')).body).toMatchObject({ state: 'done', size: SIZE })
  expect((await send(Buffer.from(CSV), 'text')).status).toBe(400)
  expect((await ask('text')).body.received).toBe(0)
})

test('another upload takes the place of an unfinished one; another contractor’s with the same name is its own', async () => {
  const mine = await makeSender()
  const other = await makeSender()
  await mine.part(0, 20)
  expect((await other.part(20, SIZE)).status).toBe(409)
  expect((await other.part(0, 5)).body.received).toBe(5)
  expect((await mine.ask()).body.received).toBe(20)
  await mine.part(0, 7, 'b')
  expect([(await mine.ask('b')).body.received, (await mine.ask('a')).body.received]).toEqual([7, 0])
  expect((await mine.part(20, SIZE)).body.error).toContain('bytes 0-')
})

test('an upload is dropped a few pieces at a time, and what it leaves to nobody else gives the disk back', async () => {
  const mine = await makeSender()
  const other = await makeSender()
  const text = `Customer ID,Name\n${'C1,Ana\n'.repeat(200_000)}`
  const most = piecesAtOnce(db)
  await db.orm.execute(
    sql.raw(`create function few() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > ${most} then raise exception 'more than ${most} pieces at once'; end if; return null; end $$`),
  )
  await db.orm.execute(sql`create trigger few after delete on load_parts referencing old table as gone
    for each statement execute function few()`)
  await other.part(0, 10)
  await mine.part(0, text.length - 1, 'a', text)
  expect((await mine.part(0, 7, 'b')).body.received).toBe(7)
  expect([(await mine.ask('b')).body.received, (await other.ask()).body.received]).toEqual([7, 10])
  const pieces = sql`select count(*)::int as n from load_parts where contractor_id = ${mine.contractor.id}`
  expect(await rows(db.orm, pieces)).toEqual([{ n: 1 }])
  await mine.part(0, text.length - 1, 'c', text)
  await db.orm.execute(sql`delete from load_uploads where contractor_id <> ${mine.contractor.id}`)
  await mine.part(0, 7, 'd')
  const [size] = await rows<{ n: number }>(db.orm, sql`select pg_total_relation_size('load_parts')::int as n`)
  if (db.driver === 'pglite') expect(size?.n).toBeLessThan(100_000)
  await db.orm.execute(sql`drop trigger few on load_parts`)
})

test('an upload of which a piece is gone is not loaded, so that a complete file deletes nothing', async () => {
  const { part, put, contractor, load, secret } = await makeSender()
  await load({ 'customers.csv': 'Customer ID,Name\nC7,Gil\nC8,Hal\n' })
  await part(0, 25)
  await db.orm.execute(sql`delete from load_parts where contractor_id = ${contractor.id}`)
  const query = '?upload=a&complete=true&maxDeleted=100'
  const answer = await put(CSV.slice(25), query, { 'content-range': `bytes 25-${SIZE - 1}/${SIZE}` })
  expect([answer.status, answer.body.code]).toEqual([503, 'busy'])
  expect((await call('/api/v1/loads', { key: secret })).body.items).toEqual([])
  expect(await customersOf(contractor.id)).toBe(2)
})

test('while a load runs, 409 says so before the body is read', async () => {
  const { contractor, put, part } = await makeSender()
  const giveBack = await acquireLoadTurn(contractor.id)
  expect([(await put(CSV)).status, (await part(0, 5)).status]).toEqual([409, 409])
  await giveBack()
  expect((await put(CSV)).status).toBe(200)
})

test('a part and its range must agree, and both names must be there', async () => {
  const { put } = await makeSender()
  const fields = async (query: string, headers: Record<string, string> = {}, file?: string) =>
    (await put('abc', query, headers, file)).body.fields?.map(({ field }: { field: string }) => field)
  expect(await fields('?upload=a')).toEqual(['Content-Range'])
  expect(await fields('', { 'content-range': 'bytes 0-2/3' })).toEqual(['upload'])
  expect(await fields('?upload=a', { 'content-range': 'bytes 2-1/3' })).toEqual(['Content-Range'])
  expect(await fields('?upload=a/b', { 'content-range': 'bytes 0-2/3' })).toEqual(['upload'])
  expect(await fields('?maxDeleted=20')).toEqual(['maxDeleted'])
  expect(await fields('', {}, 'passwords.csv')).toEqual(['load'])
  const more = await put('abcdef', '?upload=a', { 'content-range': 'bytes 0-2/9' })
  expect([more.status, more.body.error]).toEqual([400, expect.stringContaining('more bytes than Content-Range')])
  const large = await put('abc', '?upload=a', { 'content-range': `bytes 0-2/${2 ** 31}` })
  expect(large.status).toBe(413)
})

test('only a key with write:data, only its own contractor’s loads; other methods are refused with what there is', async () => {
  const { put } = await makeSender()
  const { body } = await put(CSV)
  const other = await makeSender()
  expect((await call(`/api/v1/loads/${body.id}`, { key: other.secret })).status).toBe(404)
  const reader = await other.key()
  for (const [path, method] of [
    ['/api/v1/loads/customers.csv', 'PUT'],
    ['/api/v1/loads', 'GET'],
  ] as const)
    expect((await call(path, { key: reader.text, method, ...(method === 'PUT' && { body: CSV }) })).body).toMatchObject(
      {
        code: 'forbidden',
        error: expect.stringContaining('write:data'),
      },
    )
  const refused = await call('/api/v1/loads/customers.csv', { key: other.secret, method: 'DELETE' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, OPTIONS'])
})

test('a key that is revoked while its file arrives loads nothing', async () => {
  const { contractor, operator, secret, keyId } = await makeSender()
  async function* body() {
    yield Buffer.from('Customer ID,Name\nC1,Ana\n')
    await revokeKey(db.orm, keyId, operator)
  }
  const url = 'http://localhost/api/v1/loads/customers.csv'
  const headers = new Headers({ 'x-api-key': secret, [ADDRESS_HEADER]: '10.9.9.9' })
  const endpoint = await findRoute('/api/v1/loads/customers.csv')
  const asked = { ...serviceRequest(new Request(url)), method: 'PUT', headers, chunks: body }
  expect(await endpoint?.(asked)).toMatchObject({ status: 401 })
  expect(await customersOf(contractor.id)).toBe(0)
  expect(uploads()).toEqual([])
})

test('a database that fails for a moment while a body arrives does not end it', async () => {
  const { contractor, secret } = await makeSender()
  async function* body() {
    yield Buffer.from('Customer ID,Name\n')
    await db.orm.execute(sql`alter table api_keys rename to api_keys_away`)
    forgetKeys()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000 })
    yield Buffer.from('C1,Ana\n')
    vi.useRealTimers()
    await db.orm.execute(sql`alter table api_keys_away rename to api_keys`)
  }
  const headers = new Headers({ 'x-api-key': secret, [ADDRESS_HEADER]: '10.9.9.8' })
  const endpoint = await findRoute('/api/v1/loads/customers.csv')
  const request = serviceRequest(new Request('http://localhost/api/v1/loads/customers.csv'))
  expect(await endpoint?.({ ...request, method: 'PUT', headers, chunks: body })).toMatchObject({ status: 200 })
  expect(await customersOf(contractor.id)).toBe(1)
})

test('an upload whose load failed is kept: a question loads nothing, the last part sent again loads it', async () => {
  const { contractor, part, ask, secret } = await makeSender()
  await db.orm.execute(
    sql.raw(`create function fault() returns trigger language plpgsql as $$ begin
      if new.contractor_id = '${contractor.id}' then raise exception 'no more'; end if; return new; end $$`),
  )
  await db.orm.execute(sql`create trigger fault before insert on users for each row execute function fault()`)
  expect((await part(0, SIZE)).status).toBe(500)
  await db.orm.execute(sql`drop trigger fault on users`)
  const asked = await ask()
  expect([asked.status, asked.body.received]).toEqual([202, SIZE])
  expect((await call('/api/v1/loads', { key: secret })).body.items).toMatchObject([{ state: 'failed' }])
  expect((await part(SIZE - 1, SIZE)).body.state).toBe('done')
  expect((await ask()).body.received).toBe(0)
  expect(uploads()).toEqual([])
})

test('an administrator’s load is recorded without a key', async () => {
  const { contractor, operator } = await makeSender()
  async function* incoming() {
    yield Buffer.from(CSV)
  }
  const loaded = await execute(
    operations.loadFile,
    { actor: operator, now: new Date(), incoming: incoming() },
    { load: 'customers.csv' },
  )
  expect(loaded).toMatchObject({ state: 'done' })
  expect(await rows(db.orm, sql`select key_id from loads where contractor_id = ${contractor.id}`)).toEqual([
    { key_id: null },
  ])
})
