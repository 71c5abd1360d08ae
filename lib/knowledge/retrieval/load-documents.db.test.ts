import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { listDocumentReferences } from '@/db/queries/document-references'
import { openTestDatabase } from '@/lib/testing/database'
import { GUIDES, loadGuides } from './guides'
import { loadDocuments } from './load-documents'
import { searchDocuments } from './search'

let db: Database
let root: string
let owner: string
let folder: string
beforeAll(async () => {
  db = await openTestDatabase()
  root = mkdtempSync(join(tmpdir(), 'plumbline-documents-'))
})
afterAll(async () => {
  await db.close()
  rmSync(root, { recursive: true })
})
beforeEach(({ task }) => {
  owner = `con_${task.id}`
  folder = join(root, owner, 'office')
  mkdirSync(join(folder, 'terms'), { recursive: true })
})

const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
const references = () => listDocumentReferences(db.orm, owner, 'document', '')

test('a folder is added; loading it again writes nothing; a changed file is an update', async () => {
  write('roof.md', '# Roof care\n\nClean the gutters.')
  write('terms/refunds.html', '<title>Refunds</title><p>Within thirty days.')
  expect(await loadDocuments(db, owner, [folder])).toMatchObject({ files: 2, added: 2, refusedCount: 0 })
  const written = () => rows(db.orm, sql`select id, updated_at, xmin::text from documents order by id`)
  const before = await written()
  expect(await loadDocuments(db, owner, [folder])).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
  expect(await written()).toEqual(before)
  write('roof.md', '# Roof care\n\nClean the chimney.')
  expect(await loadDocuments(db, owner, [folder])).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
  const find = (query: string) => searchDocuments(db, { contractorId: owner, types: ['document'], query, limit: 5 })
  expect((await find('chimneys')).hits).toMatchObject([{ title: 'Roof care', untrusted: false }])
  expect((await find('"gutters"')).hits).toEqual([])
})

test('refused files are reported with the reason, the others are loaded; unsupported files are counted; links and hidden files are skipped', async () => {
  write('good.txt', 'Sound.')
  write('broken.pdf', 'no pdf')
  write('photo.jpg', 'x')
  write('.secret.txt', 'hidden')
  symlinkSync(root, join(folder, 'circle'))
  const report = await loadDocuments(db, owner, [folder, join(folder, 'photo.jpg')])
  expect(report).toMatchObject({ files: 3, added: 1, refusedCount: 2, ignored: { '.jpg': 1 } })
  expect(report.refused.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('not a PDF that can be read'),
    expect.stringContaining('is not of a type that is read: .md'),
  ])
  expect(await references()).toEqual(['office/good.txt'])
})

test('prune removes documents without a file, keeps refused files and other folders, and never empties a folder', async () => {
  write('a.txt', 'Alpha.')
  write('b.txt', 'Beta.')
  const other = join(root, owner, 'other.txt')
  writeFileSync(other, 'Gamma.')
  await loadDocuments(db, owner, [folder, other])
  rmSync(join(folder, 'a.txt'))
  write('b.txt', '')
  expect(await loadDocuments(db, owner, [folder], { prune: true })).toMatchObject({ removed: 1, refusedCount: 1 })
  expect(await references()).toEqual(['office/b.txt', 'other.txt'])
  rmSync(join(folder, 'b.txt'))
  await expect(loadDocuments(db, owner, [folder], { prune: true })).rejects.toThrow('Nothing was removed')
  expect(await references()).toEqual(['office/b.txt', 'other.txt'])
})

test('a missing path is refused before anything is written', async () => {
  write('a.txt', 'Alpha.')
  await expect(loadDocuments(db, owner, [folder, join(folder, 'none')])).rejects.toThrow('none cannot be read (ENOENT)')
  expect(await references()).toEqual([])
})

test('every contractor finds the guides, and a removed guide is deleted', async () => {
  await loadGuides(db)
  await db.orm.execute(sql`update documents set reference = 'old' where reference = 'agents'`)
  await loadGuides(db)
  expect(await listDocumentReferences(db.orm, 'public', 'guide', '')).toEqual(GUIDES)
  const { hits } = await searchDocuments(db, { contractorId: owner, types: ['guide'], query: 'delta sync', limit: 3 })
  expect(hits[0]).toMatchObject({ type: 'guide', untrusted: false })
})

test('a build indexes a guide once, and another build again', async () => {
  const untouched = async () =>
    (await rows<{ title: string }>(db.orm, sql`select title from documents where title = 'As it was'`)).length
  await loadGuides(db, 'one')
  await db.orm.execute(sql`update documents set title = 'As it was'
    where shelf_id in (select id from search_shelves where owner = 'public')`)
  await loadGuides(db, 'one')
  expect(await untouched()).toBe(GUIDES.length)
  await loadGuides(db, 'two')
  expect(await untouched()).toBe(0)
})
