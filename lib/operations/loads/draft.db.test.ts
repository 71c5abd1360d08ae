import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
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
  expect([looked.reconciliation?.months.length, looked.faultCount, await items('invoices')]).toEqual([1, 0, []])
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

test('a column of amounts that nothing reads is asked for; a look and a load write nothing until it is answered', async () => {
  const { ctx, add, items } = await office()
  const board = 'Customer Name,Job Name,Zorp\nAna Hill,Roof,"$1,200.50"\nBen Ray,Deck,$300.00\n'
  const { draft } = await add('board.csv', board)
  const map = [{ column: 'Customer Name', field: 'customers.name' }]
  const looked = await execute(loadDraft, ctx, { draft, dryRun: true, map })
  expect(looked.questions).toMatchObject([{ kind: 'columns', key: 'column:zorp', value: '$1,200.50' }])
  const asked = await execute(loadDraft, ctx, { draft, map, saveMap: true })
  expect([asked.questions?.length, asked.refused, await items('customers')]).toEqual([1, [], []])
  expect((await execute(getLastLoad, ctx, {})).last).toBeNull()
  const answers = { 'column:zorp': 'none' }
  const loaded = await execute(loadDraft, ctx, { draft, map, answers, saveMap: true })
  expect([loaded.questions, loaded.faultCount]).toEqual([undefined, 0])
  const next = await add('board next.csv', board)
  expect((await execute(loadDraft, ctx, { draft: next.draft, dryRun: true, map: [] })).questions).toBeUndefined()
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

/** Runs `work` as another instance would: with nothing in its memory, and another disk. */
async function elsewhere<T>(work: () => Promise<T>): Promise<T> {
  const key = Symbol.for('plumbline.shared')
  const [here, disk] = [Reflect.get(globalThis, key), process.env.TMPDIR]
  const other = mkdtempSync(join(tmpdir(), 'plumbline-other-'))
  try {
    Reflect.set(globalThis, key, new Map())
    process.env.TMPDIR = other
    shareDatabase(db)
    return await work()
  } finally {
    // What was laid out to be read is gone with the request.
    expect(readdirSync(other)).toEqual([])
    rmSync(other, { recursive: true })
    Reflect.set(globalThis, key, here)
    if (disk === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = disk
  }
}

test('every instance finds what another one holds: each step of a draft runs on its own', async () => {
  const { ctx, add, items } = await office()
  const large = `Customer ID,Name\n${Array.from({ length: 6_000 }, (_, i) => `C-${i},Customer number ${i}\n`).join('')}C-X,\n`
  const { draft } = await elsewhere(() => add('customers.csv', large))
  await elsewhere(() => add('projects.csv', 'Project ID,Customer ID,Name\nP-1,C-5999,Roof\n', draft))
  const { files } = await elsewhere(() => execute(inspectDraft, ctx, { draft }))
  expect(files.map(({ file, taken }) => [file, taken])).toEqual([
    ['customers.csv', 'ours'],
    ['projects.csv', 'ours'],
  ])
  await elsewhere(() => execute(loadDraft, ctx, { draft, dryRun: true }))
  const loaded = await elsewhere(() => execute(loadDraft, ctx, { draft }))
  expect([loaded.refused, (await items('projects')).length]).toEqual([['customers.csv'], 1])
  const refused = await elsewhere(() => execute(getRefusedRows, ctx, { draft, file: 'customers.csv' }))
  expect(refused.csv).toContain('C-X')
})

const held = (contractorId: string) =>
  rows<{ drafts: number; files: number; parts: number }>(
    db.orm,
    sql`select (select count(*)::int from load_drafts where contractor_id = ${contractorId}) as drafts,
      (select count(*)::int from load_draft_files where contractor_id = ${contractorId}) as files,
      (select count(*)::int from load_draft_parts where contractor_id = ${contractorId}) as parts`,
  )

test('three drafts of a contractor are held; what is replaced, dropped or broken off leaves no bytes', async () => {
  const { contractor, ctx, add } = await office()
  for (let i = 0; i < 4; i++) await add('a.csv', 'x')
  expect(await held(contractor.id)).toEqual([{ drafts: 3, files: 3, parts: 3 }])
  const { draft } = await add('a.csv', 'y'.repeat(200_000))
  await add('a.csv', 'z', draft)
  const broken = (async function* () {
    yield Buffer.alloc(100_000)
    throw new Error('the connection broke')
  })()
  await expect(execute(addDraftFile, ctx, { file: 'b.csv', body: broken, draft })).rejects.toThrow()
  expect(await held(contractor.id)).toEqual([{ drafts: 3, files: 3, parts: 3 }])
})

test('a contractor holds 500 MB at most: older drafts make room, then more is refused', async () => {
  const { contractor, add } = await office()
  const grow = (draft: string, bytes: number) =>
    db.orm.execute(sql`update load_draft_files set size = ${bytes}::bigint where draft_id = ${draft}`)
  const old = await add('a.csv', 'x')
  await grow(old.draft, 500 * 1024 * 1024)
  const { draft } = await add('b.csv', 'x')
  expect(await held(contractor.id)).toEqual([{ drafts: 1, files: 1, parts: 1 }])
  await grow(draft, 500 * 1024 * 1024)
  await expect(add('c.csv', 'x', draft)).rejects.toMatchObject({
    code: 'payload_too_large',
    message: expect.stringContaining('At most 500 MB'),
  })
})
