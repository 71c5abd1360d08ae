import { readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { refusedName } from '@/lib/load/refused'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { addDraftFile, dropDraftFile, getRefusedRows, inspectDraft, loadDraft } from './draft'
import { getLastLoad, undoLoad } from './undo-load'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const BOARD = readFileSync(join(process.cwd(), 'lib/load/mapping/fixtures/job-board-september.csv'))

async function* bytes(content: string | Buffer) {
  yield Buffer.from(content)
}

/** A contractor with an administrator, and what they do with a draft. */
async function office() {
  const { contractor, key } = await makeTenant(db)
  const ctx = { actor: await makeMember(db, contractor.id), now: new Date() }
  const { text } = await key()
  const add = (file: string, content: string | Buffer, draft?: string) =>
    execute(addDraftFile, ctx, { file, body: bytes(content), ...(draft !== undefined && { draft }) })
  const items = async (list: string) => (await call(`/api/v1/${list}?limit=100`, { key: text })).body.items
  return { contractor, ctx, add, items }
}

test('files are held, inspected, looked at without a trace, and loaded together; the last load is taken back', async () => {
  const { ctx, add, items } = await office()
  const { draft } = await add('job board.csv', BOARD)
  expect((await add('customers.csv', 'Customer ID,Name\nC-9,Zoë Hill\n', draft)).files).toEqual([
    'customers.csv',
    'job board.csv',
  ])
  const { files } = await execute(inspectDraft, ctx, { draft })
  expect(files.map(({ file, taken, problem }) => [file, taken, problem])).toEqual([
    ['customers.csv', 'ours', null],
    ['job board.csv', 'guessed', null],
  ])
  const looked = await execute(loadDraft, ctx, { draft, dryRun: true, map: [] })
  expect([looked.preview?.months.length, looked.faultCount, await items('invoices')]).toEqual([1, 0, []])
  const loaded = await execute(loadDraft, ctx, { draft, map: [], saveMap: true })
  expect([loaded.faultCount, loaded.refused, (await items('invoices')).length]).toEqual([0, [], 20])
  await expect(execute(loadDraft, ctx, { draft })).rejects.toThrow('no file to load')
  // The next file of these columns is mapped by itself.
  const next = await add('october.csv', BOARD)
  expect((await execute(inspectDraft, ctx, { draft: next.draft })).files[0]).toMatchObject({
    taken: 'kept',
    problem: null,
  })
  const { last } = await execute(getLastLoad, ctx, {})
  await execute(undoLoad, ctx, { load: last?.load ?? '' })
  expect(await items('invoices')).toEqual([])
})

test('refused rows come back as CSV with the reason; corrected, they are loaded', async () => {
  const { ctx, add, items } = await office()
  const { draft } = await add(
    'Customers.csv',
    'Customer ID,Name,Email\nC-1,"Hill, Ana",ana@example.com\nC-2,Ben,not one\n',
  )
  await add('projects.csv', 'Project ID,Customer ID,Name\nP-1,C-1,Roof\nP-2,C-2,Deck\n', draft)
  const report = await execute(loadDraft, ctx, { draft })
  expect([report.faultCount, report.refused]).toEqual([2, ['customers.csv', 'projects.csv']])
  const { name, csv } = await execute(getRefusedRows, ctx, { draft, file: 'customers.csv' })
  expect([name, csv]).toEqual([
    'customers.csv.refused.csv',
    '\ufeffCustomer ID,Name,Email,Refused because\nC-2,Ben,not one,Email is not an email address\n',
  ])
  const { csv: projects } = await execute(getRefusedRows, ctx, { draft, file: 'projects.csv' })
  const again = await add(name, csv.replace('not one', 'ben@example.com'))
  await add('projects.csv.refused.csv', projects, again.draft)
  const corrected = await execute(loadDraft, ctx, { draft: again.draft })
  expect([corrected.faults, (await items('projects')).length]).toEqual([[], 2])
})

test('a file that is no table, a name that leaves the folder, and a draft that is not there are refused', async () => {
  const { ctx, add } = await office()
  await expect(add('passwd', 'x')).rejects.toThrow('is no table')
  for (const file of ['../x.csv', 'a/b.csv', '.x.csv', 'a\nb.csv', `${'屋'.repeat(100)}.csv`])
    await expect(add(file, 'x'), file).rejects.toThrow('needs a name')
  for (const draft of ['0'.repeat(32), '../../etc', ''])
    await expect(add('a.csv', 'x', draft), draft).rejects.toThrow(/no longer on the server|draft/)
  const { draft } = await add('a.csv', 'x')
  await expect(execute(getRefusedRows, ctx, { draft, file: '../files/a.csv' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await execute(dropDraftFile, ctx, { draft, file: '../a.csv' })).files).toEqual(['a.csv'])
  expect((await execute(dropDraftFile, ctx, { draft, file: 'a.csv' })).files).toEqual([])
})

test('files that differ in their ending alone keep their refused rows apart', () => {
  expect(refusedName('jobs.csv')).not.toBe(refusedName('jobs.xlsx'))
})

test('three drafts of a contractor are held, in folders that only their owner reads', async () => {
  const { contractor, add } = await office()
  const made = []
  for (let i = 0; i < 4; i++) made.push((await add('a.csv', 'x')).draft)
  const held = readdirSync(tmpdir()).filter((name) => name.startsWith(`plumbline-upload-draft-${contractor.id}-`))
  expect(held).toHaveLength(3)
  const last = join(tmpdir(), `plumbline-upload-draft-${contractor.id}-${made.at(-1)}`)
  expect(statSync(join(last, 'files')).mode & 0o777).toBe(0o700)
})
