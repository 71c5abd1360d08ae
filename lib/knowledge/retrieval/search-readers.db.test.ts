import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { putDocuments } from '@/db/queries/documents'
import { DOCUMENT_TYPES, type DocumentType, PUBLIC_OWNER } from '@/db/schema'
import { openTestDatabase } from '@/lib/testing/database'
import { makeDocument } from '@/lib/testing/documents'
import { searchDocuments } from './search'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const search = (contractorId: string, query: string, types: readonly DocumentType[] = DOCUMENT_TYPES, limit = 10) =>
  searchDocuments(db, { contractorId, types, query, limit })
const titles = async (...given: Parameters<typeof search>) => (await search(...given)).hits.map(({ title }) => title)

describe('who reads what', () => {
  test('a search covers own and public documents of the requested types; other types do not affect scores', async () => {
    const owner = 'con_types'
    await putDocuments(db.orm, PUBLIC_OWNER, [makeDocument('Public guide', 'zorble installation', { type: 'guide' })])
    await putDocuments(db.orm, owner, [makeDocument('Own note', 'zorble delivered', { type: 'project' })])
    expect((await titles(owner, 'zorble')).sort()).toEqual(['Own note', 'Public guide'])
    expect(await titles(owner, 'zorble', ['project'])).toEqual(['Own note'])
    expect(await titles(owner, 'zorble', [])).toEqual([])
    const [before] = (await search(owner, 'zorble', ['project'])).hits
    await putDocuments(db.orm, owner, [makeDocument('Permit', 'zorble zorble zorble', { type: 'permit' })])
    const [after] = (await search(owner, 'zorble', ['project'])).hits
    expect(after).toEqual(before)
  })

  test('1,000 queries never show another contractor’s canaries', { timeout: 120_000 }, async () => {
    const owners = ['con_canary_a', 'con_canary_b', 'con_canary_c']
    const shared = 'roof wall floor window door beam stud panel vent pipe'.split(' ')
    for (const [o, owner] of owners.entries()) {
      const documents = Array.from({ length: 30 }, (_, i) =>
        makeDocument(
          `canary${o}x ${i}`,
          `${shared[i % 10]} ${shared[(i * 3 + o) % 10]} canary${o}x secret${o}word${i}`,
        ),
      )
      await putDocuments(db.orm, owner, documents)
    }
    for (let q = 0; q < 1000; q++) {
      const asking = q % 3
      const other = (q + 1 + (q % 2)) % 3
      const kinds = [
        `${shared[q % 10]} ${shared[(q * 7) % 10]}`,
        `canary${other}x`,
        `secret${other}word${q % 30}`,
        `"canary${other}x secret${other}word${q % 30}"`,
        `${shared[q % 10]} canary${other}x windwo`,
      ]
      const answer = JSON.stringify(
        await search(owners[asking] ?? '', kinds[q % kinds.length] ?? '', DOCUMENT_TYPES, 25),
      )
      expect(answer).not.toMatch(new RegExp(`canary[^${asking}]x|secret[^${asking}]word`))
    }
  })
})
