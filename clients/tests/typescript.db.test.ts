import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { truthOf } from '@/lib/testing/feed-client'
import { sampleBooks } from '@/lib/testing/tenant'
import {
  ApiError,
  type Batch,
  FileStore,
  MemoryStore,
  Plumbline,
  ProofError,
  RateLimitedError,
} from '../typescript/src/index'
import { deleteInvoices, forgetChanges, openService, type Service, withoutPageTokens } from './service'

let service: Service
let folder: string
beforeAll(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
  process.env.RATE_LIMIT_DATA_API = '100000'
  process.env.RATE_LIMIT_EXPORT = '100000'
  service = await openService()
  folder = mkdtempSync(join(tmpdir(), 'plumbline-client-'))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => {
  service.planned.length = 0
  service.passed.length = 0
})

const clientOf = (key: string) => new Plumbline({ baseUrl: service.baseUrl, key, attempts: 4 })

/** Returns each resource as complete, with what the tables have. */
const wholeOf = async (id: string) =>
  Object.entries(await truthOf(service.db, id)).map(([resource, total]) => ({
    resource,
    verdict: 'complete',
    found: total,
    expected: total,
  }))

describe('sync', () => {
  test('first reads everything, then only what changed, deletions too; each time it is the truth', async () => {
    const tenant = await service.tenant(30)
    const [client, store] = [clientOf(tenant.secret), new MemoryStore()]
    const first = await client.sync({ store })
    expect(first).toMatchObject({ upserts: 150, deletes: 0, restarted: false, proofs: await wholeOf(tenant.id) })
    const listed = []
    for await (const invoice of client.list('invoices', {})) listed.push(invoice)
    expect([...store.records.invoices.values()]).toEqual(listed)

    expect(await deleteInvoices(service, tenant.id, 'I2%')).toBe(11)
    await tenant.load({ 'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI3,P3,77.77,2024-01-05' })
    const batches: Batch[] = []
    const second = await client.sync({ store, onBatch: (batch) => batches.push(batch) })
    expect(second).toMatchObject({ upserts: 1, deletes: 11, proofs: await wholeOf(tenant.id) })
    expect(batches.flatMap(({ upserts }) => upserts)).toMatchObject([
      { resource: 'invoices', record: { number: 'I3', amount: 77.77 } },
    ])
    expect(await client.sync({ store })).toMatchObject({ upserts: 0, deletes: 0 })
    expect(await client.checksum('invoices')).toMatchObject((await truthOf(service.db, tenant.id)).invoices ?? {})
  })

  test('of an answer that is refused, cut and changed while it is read, every record is stored', async () => {
    const tenant = await service.tenant(400)
    const store = new MemoryStore()
    service.planned.push(
      { path: '/changes', turn: 'slow-down' },
      { path: '/changes', turn: 'unavailable' },
      { path: '/export/invoices', turn: 'unavailable' },
      { path: '/export/invoices', turn: { cutAfter: 30_011 } },
      {
        path: '/export/invoices',
        turn: async () => {
          await deleteInvoices(service, tenant.id, 'I39%')
          await tenant.load(sampleBooks(20, 'x'))
        },
      },
      { path: '/changes?cursor', turn: { cutAfter: 2_000 } },
    )
    const result = await clientOf(tenant.secret).sync({ store, batchSize: 50 })
    expect(result.proofs).toEqual(await wholeOf(tenant.id))
    expect(service.planned).toEqual([])
    const [first, again, resumed] = service.passed.filter((path) => path.startsWith('/export/invoices'))
    expect(again).toBe(first)
    expect(resumed).toContain('&after=')
  })

  test('killed between two batches it goes on behind the last one that was stored', async () => {
    const tenant = await service.tenant(300)
    const path = join(folder, 'killed.ndjson')
    const program = `import { FileStore, Plumbline } from ${JSON.stringify(resolve('clients/typescript/src/index.ts'))}
      const store = await FileStore.open(process.env.COPY)
      const client = new Plumbline({ baseUrl: process.env.API, key: process.env.KEY })
      await client.sync({ store, resources: ['invoices', 'payments'], batchSize: 40, onBatch: () => console.log('stored') })`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      env: { ...process.env, COPY: path, API: service.baseUrl, KEY: tenant.secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.setEncoding('utf8')
    let out = ''
    child.stdout.on('data', (text) => {
      out += text
      if (out.length > 'stored\n'.length * 2) child.kill('SIGKILL')
    })
    await once(child, 'exit')
    // What a crash may leave of a batch that was not stored.
    appendFileSync(path, '{"upserts":[{"resource":"invoices"')
    const store = await FileStore.open(path)
    const had = store.records.invoices.size + store.records.payments.size
    expect(had).toBeGreaterThanOrEqual(80)
    expect(had).toBeLessThan(600)
    service.passed.length = 0
    const { upserts, proofs } = await clientOf(tenant.secret).sync({ store })
    expect(upserts).toBe(600 - had)
    expect(proofs).toEqual((await wholeOf(tenant.id)).filter(({ resource }) => /invoices|payments/.test(resource)))
    await store.close()
    const again = await FileStore.open(path)
    expect([...again.records.invoices]).toEqual([...store.records.invoices])
    await again.close()
    expect(readFileSync(path, 'utf8')).not.toContain(tenant.secret)
  })

  test('with a cursor that is too old reads everything again, and removes what no longer exists', async () => {
    const tenant = await service.tenant(20)
    const [client, store] = [clientOf(tenant.secret), new MemoryStore()]
    await client.sync({ store })
    await deleteInvoices(service, tenant.id, 'I1%')
    await client.changes()
    await forgetChanges(service, tenant.id)
    const result = await client.sync({ store })
    expect(result).toMatchObject({ restarted: true, deletes: 11, proofs: await wholeOf(tenant.id) })
  })

  test('tells of a record that the copy missed, and reads it again when asked to', async () => {
    const tenant = await service.tenant(12)
    class Careless extends MemoryStore {
      override apply(batch: Batch) {
        super.apply({
          ...batch,
          upserts: batch.upserts.filter(({ resource, id }) => resource !== 'payments' || id !== missed),
        })
      }
    }
    const client = clientOf(tenant.secret)
    let missed = ''
    for await (const { id } of client.list('payments', {})) missed = id
    const store = new Careless()
    const failed = await client.sync({ store }).catch((error) => error)
    expect(failed).toBeInstanceOf(ProofError)
    expect(failed.message).toMatch(
      /^The copy of payments is not complete: 1 of 12 payments are missing\. .*sync\(\{ \.\.\., reread: \['payments'\] \}\)/,
    )
    missed = ''
    const { upserts, proofs } = await client.sync({ store, reread: ['payments'] })
    expect([upserts, proofs]).toEqual([12, await wholeOf(tenant.id)])
  })

  test('is true at every end while others write', async () => {
    const tenant = await service.tenant(25)
    const [client, store] = [clientOf(tenant.secret), new MemoryStore()]
    let isWriting = true
    const writing = (async () => {
      for (let i = 0; i < 6; i++) {
        await tenant.load(sampleBooks(25, `w${i}`))
        await deleteInvoices(service, tenant.id, `I${i}%`)
      }
      isWriting = false
    })()
    let syncs = 0
    do {
      await client.sync({ store })
      syncs++
    } while (isWriting)
    await writing
    expect((await client.sync({ store })).proofs).toEqual(await wholeOf(tenant.id))
    expect(syncs).toBeGreaterThan(1)
  })

  test('ends by its signal, also while it waits for the limit', async () => {
    const tenant = await service.tenant(1)
    service.planned.push({ path: '/changes', turn: 'slow-down' })
    const signal = AbortSignal.timeout(300)
    await expect(clientOf(tenant.secret).sync({ store: new MemoryStore(), signal })).rejects.toThrow(/timeout/)
    expect(service.passed).toHaveLength(1)
  })
})

test('follow gives a change soon after it happened', async () => {
  const tenant = await service.tenant(2)
  const [client, store, ending] = [clientOf(tenant.secret), new MemoryStore(), new AbortController()]
  await client.sync({ store })
  const told: string[] = []
  const following = (async () => {
    for await (const { deletes } of client.follow({ store, signal: ending.signal })) {
      told.push(...deletes.map(({ resource }) => resource))
      if (told.length > 0) break
    }
  })()
  await expect.poll(() => service.passed.some((path) => path.includes('wait=25')), { timeout: 10_000 }).toBe(true)
  await deleteInvoices(service, tenant.id, 'I0%')
  await following
  expect(told).toEqual(['invoices'])
  ending.abort()
})

test('lists come in pages, a filter is typed, a single record is one, and what was deleted says so', async () => {
  const tenant = await service.tenant(7)
  const client = clientOf(tenant.secret)
  const sizes = []
  for await (const page of client.pages('invoices', { status: 'overdue', limit: 3 })) sizes.push(page.items.length)
  expect(sizes).toEqual([3, 3, 1])
  let id = ''
  for await (const invoice of client.list('invoices', {})) if (invoice.amount === 1.25) id = invoice.id
  expect(await client.get('invoices', id, { include: 'details' })).toMatchObject({ id, number: 'I0', balance: 1.25 })
  await deleteInvoices(service, tenant.id, 'I0%')
  await client.changes()
  await expect(client.get('invoices', id)).rejects.toMatchObject({ name: 'GoneError', status: 410, code: 'gone' })
})

test('a list that its server cuts gives what there is, and then says that it is not complete', async () => {
  const tenant = await service.tenant(4)
  const client = clientOf(tenant.secret)
  const sizes: number[] = []
  const read = async (limit: number) => {
    sizes.length = 0
    for await (const page of client.pages('projects', { limit })) sizes.push(page.items.length)
  }
  await withoutPageTokens(async () => {
    await expect(read(3)).rejects.toThrow(/^The list of projects is not complete: .* EXTERNAL_API_TOKEN_SECRET/)
    expect(sizes).toEqual([3])
    await read(4)
  })
})

describe('errors', () => {
  test('say what, why and next, and neither they nor the client show the key', async () => {
    const tenant = await service.tenant(1)
    const wrong = `${tenant.secret.slice(0, -1)}${tenant.secret.endsWith('0') ? '1' : '0'}`
    const client = clientOf(wrong)
    const refused = await client.get('invoices', 'inv_1').catch((error) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ status: 401, code: 'unauthorized', what: 'The API answered 401' })
    expect([refused.why, refused.next]).toEqual([expect.stringMatching(/key/), expect.stringMatching(/req_\w+/)])
    for (const shown of [refused, client]) expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain(wrong)
    expect(() => clientOf(`${tenant.secret}\n`)).toThrow(/^The key cannot be used: it is empty, or has a space/)
    expect(() => new Plumbline({ baseUrl: 'api.example.com', key: 'k' })).toThrow(/address/)
  })

  test('a redirect does not take the key elsewhere; a limit is not waited for forever', async () => {
    const tenant = await service.tenant(1)
    service.planned.push({ path: '/invoices', turn: 'redirect' }, { path: '/invoices', turn: 'slow-down' })
    const client = new Plumbline({ baseUrl: service.baseUrl, key: tenant.secret, patienceMs: 500 })
    const first = client.list('invoices', {})
    await expect(first.next()).rejects.toMatchObject({ status: 302 })
    await expect(client.list('invoices', {}).next()).rejects.toThrow(RateLimitedError)
  })

  test('nobody there is a ConnectionError, after the attempts', async () => {
    const client = new Plumbline({ baseUrl: 'http://127.0.0.1:9', key: 'k', attempts: 2 })
    await expect(client.changes()).rejects.toMatchObject({ name: 'ConnectionError', what: 'No whole answer arrived' })
  })
})
