import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { loadFolder, loadUpload } from './load-folder'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const now = new Date()
const CSV = 'Customer ID,Name,Email\nC1,Ana,ana@example.com\nC2,Ben,not an address\n'

async function* bytes(text: string) {
  yield Buffer.from(text)
}

const written = async (contractorId: string) =>
  (await listAudit(db.orm, { contractorId, event: 'data_loaded', limit: 10 })).map(
    ({ actorKind, actorId, subject, detail }) => ({ actorKind, actorId, subject, ...detail }),
  )

const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`plumbline-upload-${process.pid}-`))

test('an upload is loaded, its file goes, and it is written down', async () => {
  const { contractor } = await makeTenant(db)
  const actor = personActor({ id: 'psn_test', email: 'ana@example.com' }, contractor.id)
  const steps: string[] = []
  const report = await execute(
    loadUpload,
    { actor, now },
    {
      file: 'customers.csv',
      body: bytes(CSV),
      onProgress: ({ rows }) => steps.push(`${rows} rows`),
    },
  )
  expect(report).toMatchObject({ faultCount: 1, stopped: false, files: [{ file: 'customers.csv', rows: 2, added: 1 }] })
  expect(steps.at(-1)).toBe('2 rows')
  expect(uploads()).toEqual([])
  expect(await written(contractor.id)).toEqual([
    {
      actorKind: 'person',
      actorId: 'psn_test',
      subject: 'customers.csv',
      rows: 2,
      added: 1,
      updated: 0,
      refused: 1,
      isWhole: true,
    },
  ])
})

test('a load that breaks off is written down as such, leaves no upload behind, and the next is taken', async () => {
  const { contractor } = await makeTenant(db)
  const actor = personActor({ id: 'psn_test', email: 'ana@example.com' }, contractor.id)
  const load = (onProgress?: () => void) =>
    execute(loadUpload, { actor, now }, { file: 'customers.csv', body: bytes(CSV), onProgress })
  const broken = load(() => {
    throw new Error('the reader is gone')
  })
  await expect(broken).rejects.toThrow('the reader is gone')
  expect(uploads()).toEqual([])
  expect(await written(contractor.id)).toMatchObject([{ isWhole: false, rows: 2 }])
  expect(await load()).toMatchObject({ stopped: false })
})

test('the operator’s load writes down each file of the folder', async () => {
  const { contractor, operator } = await makeTenant(db)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'))
  for (const [name, text] of Object.entries(sampleBooks(2))) writeFileSync(join(folder, name), text)
  await execute(loadFolder, { actor: operator, now }, { folder }).finally(() => rmSync(folder, { recursive: true }))
  const entries = await written(contractor.id)
  expect(entries.map(({ subject }) => subject).sort()).toEqual(Object.keys(sampleBooks(2)).sort())
  expect(entries[0]).toMatchObject({ actorKind: 'operator', added: 2, isWhole: true })
})
