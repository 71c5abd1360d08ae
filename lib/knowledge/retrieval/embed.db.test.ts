import { createServer, type Server } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows } from '@/db/client'
import { putDocuments, removeDocuments } from '@/db/queries/documents'
import { DOCUMENT_TYPES } from '@/db/schema'
import { listenOnFreePort } from '@/lib/core/listen'
import { openTestDatabase } from '@/lib/testing/database'
import { makeDocument } from '@/lib/testing/documents'
import { forgetRuntime } from '@/lib/testing/runtime'

/** The way the endpoint responds next, and the number of requests it got. */
let mood: 'well' | 'error' | 'slow' | 'wide' = 'well'
let asked = 0
let server: Server
let db: Database

/** Returns a vector in which words with the same meaning get the same direction: leak and seep on one axis, everything else on the other. */
const vectorOf = (text: string) => [/leak|seep/.test(text) ? 1 : 0, /nail/.test(text) ? 1 : 0, 0.1]

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked++
    let body = ''
    for await (const part of request) body += part
    if (mood === 'slow') return
    if (mood === 'error') {
      response.writeHead(500).end('{"error":{"message":"down"}}')
      return
    }
    const { input, model } = JSON.parse(body)
    const data = input.map((text: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: mood === 'wide' ? [...vectorOf(text), 1] : vectorOf(text),
    }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } }))
  })
  process.env.EMBEDDINGS_URL = `http://127.0.0.1:${await listenOnFreePort(server)}/v1`
  process.env.EMBEDDINGS_MODEL = 'directions'
  db = await openTestDatabase()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await db.close()
})

/** Reloads the module, as in a process that has just started and knows nothing about the endpoint. */
async function fresh() {
  vi.resetModules()
  forgetRuntime()
  const { fillVectors } = await import('./embed')
  const { searchDocuments } = await import('./search')
  const titles = async (query: string, contractorId = 'con_vectors') =>
    (await searchDocuments(db, { contractorId, types: DOCUMENT_TYPES, query, limit: 10 })).hits.map((hit) => hit.title)
  return { fillVectors: () => fillVectors(db), titles }
}

const vectors = async () => (await rows<{ n: number }>(db.orm, sql`select count(*)::int as n from chunk_vectors`))[0]?.n

test('while the endpoint is down, documents are stored and found; vectors are added later, and then meaning counts', async () => {
  mood = 'error'
  const documents = [makeDocument('Seeping', 'water seeps at the chimney'), makeDocument('Nailing', 'nail every stud')]
  await putDocuments(db.orm, 'con_vectors', documents)
  await putDocuments(db.orm, 'con_vectors_other', [makeDocument('Foreign', 'water leaks, seeps everywhere')])
  const down = await fresh()
  expect(await down.titles('leak')).toEqual([])
  expect(await down.titles('chimney')).toEqual(['Seeping'])
  expect(await vectors()).toBe(0)
  mood = 'well'
  const up = await fresh()
  expect(await up.fillVectors()).toBe(3)
  expect(await vectors()).toBe(3)
  expect((await up.titles('leak chimney'))[0]).toBe('Seeping')
  expect((await up.titles('leaking'))[0]).toBe('Seeping')
  expect(await up.titles('"leak"')).toEqual([])
  expect(await up.titles('leak')).not.toContain('Foreign')
})

test('two processes do not have the same texts embedded; what one left when it ended is done later', async () => {
  await db.orm.execute(sql`delete from chunk_vectors`)
  const hold = (until: string) =>
    db.orm.execute(sql`insert into work_in_hand (kind, subject, times, is_open, until, begun_at)
      values ('vectors', 'all', 1, true, now() + ${until}::interval, now())
      on conflict (kind, subject) do update set until = excluded.until`)
  const { fillVectors } = await fresh()
  await hold('1 minute')
  const before = asked
  expect([await fillVectors(), asked]).toEqual([0, before])
  await hold('-1 second')
  expect(await fillVectors()).toBe(0)
  expect([await fillVectors(), asked]).toEqual([3, before + 1])
})

test.each(['error', 'slow', 'wide'] as const)(
  '%s: a search uses words only, and the endpoint gets no requests for a while',
  async (how) => {
    mood = how
    const { titles } = await fresh()
    expect(await titles('chimney')).toEqual(['Seeping'])
    const before = asked
    expect(await titles('stud')).toEqual(['Nailing'])
    if (how !== 'wide') expect(asked).toBe(before)
  },
)

test('a vector is deleted with its chunk', async () => {
  const before = (await vectors()) ?? 0
  await removeDocuments(db.orm, 'con_vectors', 'document', ['Seeping'])
  expect(await vectors()).toBe(before - 1)
})
