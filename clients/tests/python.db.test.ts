import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { truthOf } from '@/lib/testing/feed-client'
import { sampleBooks } from '@/lib/testing/tenant'
import { deleteInvoices, forgetChanges, openService, type Service, withoutPageTokens } from './service'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython && process.env.CI === 'true')
  throw new Error('The Python client is tested here: apt-get install python3')

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

/** The code before each program: a client, and `say`, which prints a line of JSON. */
const BEGIN = `
import json, os, sys
from plumbline import *
def say(value):
    print(json.dumps(value, default=lambda other: other.__dict__ if hasattr(other, "__dict__") else str(other)), flush=True)
client = Plumbline(os.environ["API"], os.environ["KEY"], attempts=4)
`

function start(program: string, key: string, copy = 'memory.db') {
  return spawn('python3', ['-c', BEGIN + program], {
    env: {
      ...process.env,
      PYTHONPATH: resolve('clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      API: service.baseUrl,
      KEY: key,
      COPY: join(folder, copy),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const Line = z.json()

/** Runs a program to its end. @returns what it said, line by line */
async function run(program: string, key: string, copy?: string) {
  const child = start(program, key, copy)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  expect(code, err).toBe(0)
  const lines = out.trim().split('\n')
  return lines.map((line) => Line.parse(JSON.parse(line)))
}

const SYNC = `
store = SqliteStore(os.environ["COPY"])
result = client.sync(store, batch_size=50)
say([result.upserts, result.deletes, result.restarted])
say({proof.resource: [proof.verdict, proof.found] for proof in result.proofs})
`

/** Returns each resource as complete, with what the tables have. */
const wholeOf = async (id: string) =>
  Object.fromEntries(
    Object.entries(await truthOf(service.db, id)).map(([resource, total]) => [resource, ['complete', total]]),
  )

describe.skipIf(!hasPython)('sync in Python', () => {
  test('first reads everything, then only what changed, deletions too; each time it is the truth', async () => {
    const tenant = await service.tenant(30)
    expect(await run(SYNC, tenant.secret, 'first.db')).toEqual([[150, 0, false], await wholeOf(tenant.id)])
    expect(await deleteInvoices(service, tenant.id, 'I2%')).toBe(11)
    await tenant.load({ 'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI3,P3,77.77,2024-01-05' })
    expect(await run(SYNC, tenant.secret, 'first.db')).toEqual([[1, 11, false], await wholeOf(tenant.id)])
    const amounts = `
store = SqliteStore(os.environ["COPY"])
say(str(sum(record["amount"] for record in store.records("invoices"))))
say(str(sum(record["amount"] for record in client.list("invoices", limit=7))))
say(client.checksum("invoices"))`
    const [kept, listed, total] = await run(amounts, tenant.secret, 'first.db')
    expect(kept).toBe(listed)
    expect(total).toEqual((await truthOf(service.db, tenant.id)).invoices)
  })

  test('of an answer that is refused, cut and changed while it is read, every record is stored', async () => {
    const tenant = await service.tenant(400)
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
    const [, proofs] = await run(SYNC, tenant.secret, 'cut.db')
    expect(proofs).toEqual(await wholeOf(tenant.id))
    expect(service.planned).toEqual([])
    const resumed = service.passed.filter((path) => path.startsWith('/export/invoices') && path.includes('after='))
    expect(resumed).toHaveLength(1)
  })

  test('killed between two batches it goes on behind the last one that was stored', async () => {
    const tenant = await service.tenant(300)
    const child = start(
      `client.sync(SqliteStore(os.environ["COPY"]), batch_size=40, on_batch=lambda batch: say(len(batch.upserts)))`,
      tenant.secret,
      'killed.db',
    )
    let stored = 0
    child.stdout.on('data', (chunk: Buffer) => {
      // A line may come in two parts.
      stored += chunk.toString().split('\n').length - 1
      if (stored >= 2) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const count = `say(sum(len(list(SqliteStore(os.environ["COPY"]).versions(name))) for name in ["customers", "projects", "invoices", "payments", "estimates"]))`
    const [had] = await run(count, tenant.secret, 'killed.db')
    expect(had).toBeGreaterThanOrEqual(80)
    expect(had).toBeLessThan(1_500)
    expect(await run(SYNC, tenant.secret, 'killed.db')).toEqual([
      [1_500 - Number(had), 0, false],
      await wholeOf(tenant.id),
    ])
  })

  test('with a cursor that is too old reads everything again, and removes what no longer exists', async () => {
    const tenant = await service.tenant(20)
    await run(SYNC, tenant.secret, 'old.db')
    await deleteInvoices(service, tenant.id, 'I1%')
    await run('say(client.changes()["more"])', tenant.secret)
    await forgetChanges(service, tenant.id)
    expect(await run(SYNC, tenant.secret, 'old.db')).toEqual([[89, 11, true], await wholeOf(tenant.id)])
  })

  test('tells of a record that the copy missed, and reads it again when asked to', async () => {
    const tenant = await service.tenant(12)
    const program = `
class Careless(MemoryStore):
    missed = [record["id"] for record in client.list("payments")][-1]
    def apply(self, batch):
        kept = [(name, record) for name, record in batch.upserts if record["id"] != self.missed]
        super().apply(Batch(kept, batch.deletes, batch.state))
store = Careless()
try:
    client.sync(store)
except ProofError as failed:
    say(str(failed))
store.missed = ""
say(client.sync(store, reread=["payments"]).upserts)`
    expect(await run(program, tenant.secret)).toEqual([
      expect.stringMatching(
        /^The copy of payments is not complete: 1 of 12 payments are missing\. .*sync\(store, reread=\['payments'\]\)/,
      ),
      12,
    ])
  })

  test('follow gives a change soon after it happened', async () => {
    const tenant = await service.tenant(2)
    const program = `
store = MemoryStore()
for batch in client.follow(store):
    if batch.deletes:
        say(batch.deletes[0][0])
        break`
    const following = run(program, tenant.secret)
    await expect.poll(() => service.passed.some((path) => path.includes('wait=25')), { timeout: 20_000 }).toBe(true)
    await deleteInvoices(service, tenant.id, 'I0%')
    expect(await following).toEqual(['invoices'])
  })

  test('a list that its server cuts gives what there is, and then says that it is not complete', async () => {
    const tenant = await service.tenant(4)
    const program = `
for limit in (3, 4):
    try:
        for page in client.pages("projects", limit=limit):
            say(len(page["items"]))
    except IncompleteListError as error:
        say(str(error))`
    expect(await withoutPageTokens(() => run(program, tenant.secret))).toEqual([
      3,
      expect.stringMatching(/^The list of projects is not complete: .* EXTERNAL_API_TOKEN_SECRET/),
      4,
    ])
  })

  test('errors say what, why and next; the key is in none, a redirect does not take it elsewhere', async () => {
    const tenant = await service.tenant(1)
    service.planned.push({ path: '/invoices', turn: 'redirect' }, { path: '/invoices', turn: 'slow-down' })
    const program = `
import traceback
def fault(work):
    try:
        work()
    except PlumblineError as error:
        assert os.environ["KEY"] not in "".join(traceback.format_exception(type(error), error, error.__traceback__))
        say([type(error).__name__, getattr(error, "status", None), bool(error.what and error.why)])
fault(lambda: next(client.list("invoices")))
hasty = Plumbline(os.environ["API"], os.environ["KEY"], patience=0.5)
fault(lambda: next(hasty.list("invoices")))
fault(lambda: client.get("invoices", "inv_none"))
fault(lambda: Plumbline(os.environ["API"], os.environ["KEY"] + "\\n"))
fault(lambda: Plumbline("api.example.com", "k"))
fault(lambda: Plumbline("http://127.0.0.1:9", "k", attempts=2).changes())
say([os.environ["KEY"] in repr(vars(thing)) for thing in (client, client._http)])`
    expect(await run(program, tenant.secret)).toEqual([
      ['ApiError', 302, true],
      ['RateLimitedError', 429, true],
      ['ApiError', 404, true],
      ['PlumblineError', null, true],
      ['PlumblineError', null, true],
      ['ConnectionFailed', null, true],
      [false, false],
    ])
  })
})
