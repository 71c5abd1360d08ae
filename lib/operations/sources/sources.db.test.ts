import type { IncomingMessage, ServerResponse } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { changeSource as change, claimDueSource, findSource, insertRun } from '@/db/queries/sources'
import { findAlerts } from '@/lib/notify/alerts'
import { here, inside, makeOffice, serveFiles } from '@/lib/testing/file-sources'
import { openPeopleDatabase } from '@/lib/testing/people'
import { call } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { inspectDraft, loadDraft } from '../loads/draft'
import { getLastLoad, undoLoad } from '../loads/undo-load'
import { changeSource, pauseSource, removeSource } from './change-source'
import { listSources } from './list-sources'
import { PAUSED_AFTER_MS } from './runs/run-one'

const DAY_MS = 86_400_000
const CUSTOMERS = 'Customer ID,Name\nC-1,Ana Hill\nC-2,Ben Ray\n'
const PROJECTS = 'Project ID,Customer ID,Name\nP-1,C-1,Roof\nP-2,C-2,Deck\n'

let db: Database
let site: Awaited<ReturnType<typeof serveFiles>>
const asked: IncomingMessage[] = []
const PAGES: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {}
beforeAll(async () => {
  db = await openPeopleDatabase()
  site = await serveFiles((request, response) => {
    asked.push(request)
    const page = PAGES[request.url ?? '']
    if (page) page(response, request)
    else response.writeHead(404).end('not there')
  })
})
afterAll(async () => {
  site.close()
  await db.close()
})

const csv = (text: string) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/csv' }).end(text)

test('a link is loaded by itself; what has not changed is a run without a change, and the last load is taken back', async () => {
  const { create, run, runs, ctx, items, contractor } = await makeOffice(db)
  let text = PROJECTS
  PAGES['/customers.csv'] = csv(CUSTOMERS)
  PAGES['/projects.csv'] = (response, { headers }) => {
    const etag = `"${text.length}"`
    if (headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { etag, 'content-type': 'text/csv' }).end(text)
  }
  PAGES['/moved'] = (response) => void response.writeHead(302, { location: '/projects.csv' }).end()
  await create({ kind: 'link', name: 'Customers', url: site.url('/customers.csv'), every: 'hour' })
  expect(await run()).toEqual({ runs: 1 })
  const made = await create({ kind: 'link', name: 'Projects', url: site.url('/moved'), every: 'hour' })
  await run()
  expect((await items('projects')).length).toBe(2)
  const again = async (hours: number) => await run(here(), new Date(Date.now() + hours * 3_600_000))
  await again(1.1)
  text = PROJECTS.replace('Deck', 'New deck')
  await again(2.2)
  const found = await runs(made.id)
  expect(found.map(({ outcome, added, updated, files }) => [outcome, added, updated, files])).toEqual([
    ['loaded', 0, 1, ['projects.csv']],
    ['unchanged', 0, 0, []],
    ['loaded', 2, 0, ['projects.csv']],
  ])
  const { last } = await execute(getLastLoad, ctx(), {})
  expect([last?.load, last?.by]).toEqual([found[0]?.load, 'Source Projects'])
  await execute(undoLoad, ctx(), { load: last?.load ?? '' })
  expect(JSON.stringify(await items('projects'))).not.toContain('New deck')
  const events = await rows<{ event: string }>(
    db.orm,
    sql`select event from audit_events where contractor_id = ${contractor.id} and actor_kind = 'source'`,
  )
  expect(events.length).toBe(3)
})

test.each([
  ['/sign-in', 'text/html', '<!doctype html><title>Sign in</title>', /web page instead of a file.*Publish to web/],
  ['/sneaky', 'text/csv', '  <html><body>Sign in</body>', /web page/],
  ['/strange.csv', 'text/csv', 'Ref,Crew,Memo\n1,x,y\n', /nobody has mapped yet: Ref, Crew, Memo.*Open the load page/],
  ['/empty.csv', 'text/csv', '', /linked|empty/],
  [
    '/bad.csv',
    'text/csv',
    'Customer ID,Name\nC-1,\nC-2,\nC-3,Ana\n',
    /2 of 3 rows would be refused, the first because Name/,
  ],
  ['/wide', 'application/octet-stream', 'x'.repeat(100_000), /./],
])(
  'a file that leaves a doubt is a failed run that says what to do, and writes nothing: %s',
  async (path, type, body, reason) => {
    const { create, run, runs, items } = await makeOffice(db)
    PAGES[path] = (response) => void response.writeHead(200, { 'content-type': type }).end(body)
    const { id } = await create({ kind: 'link', name: 'Link', url: site.url(path) })
    await run()
    const [last] = await runs(id)
    expect(last).toMatchObject({ outcome: 'failed', error: expect.stringMatching(reason) })
    expect(await items('customers')).toEqual([])
  },
)

const DAYS =
  'Project ID,Customer ID,Name,Start Date\nP-1,C-1,Roof,03/25/2026\nP-2,C-1,Deck,25/03/2026\nP-3,C-1,Gate,03/02/2026\n'

test('files that have questions are held: the run says what is asked and where; answered, they are loaded, and the next ones by themselves', async () => {
  const { create, run, runs, items, ctx, contractor } = await makeOffice(db)
  PAGES['/customers-held.csv'] = csv(CUSTOMERS)
  PAGES['/days.csv'] = csv(DAYS)
  await create({ kind: 'link', name: 'Customers', url: site.url('/customers-held.csv') })
  await run()
  const { id } = await create({ kind: 'link', name: 'Projects', url: site.url('/days.csv') })
  await run()
  const [held] = await runs(id)
  expect(held).toMatchObject({
    outcome: 'failed',
    files: [],
    error: expect.stringMatching(
      /: Which comes first in dates, the day or the month\?.*Open the files on the load page/,
    ),
    draft: expect.stringMatching(/^drf_/),
  })
  expect(held?.error).not.toContain('--dates')
  expect(await items('projects')).toEqual([])
  const again = (now: Date) => change(db.orm, contractor.id, id, { nextAt: now })
  await again(new Date())
  await run()
  // The files of the run before are held once.
  await expect(execute(inspectDraft, ctx(), { draft: held?.draft ?? '' })).rejects.toMatchObject({ code: 'not_found' })
  const draft = (await runs(id))[0]?.draft ?? ''
  const report = await execute(loadDraft, ctx(), { draft, dryRun: true })
  expect(report.questions).toMatchObject([{ key: 'dates', choices: ['mdy', 'dmy'] }])
  expect((await execute(loadDraft, ctx(), { draft })).questions).toHaveLength(1)
  const loaded = await execute(loadDraft, ctx(), { draft, answers: { dates: 'dmy' } })
  expect([loaded.questions, (await items('projects')).length]).toEqual([undefined, 2])
  await again(new Date())
  await run()
  expect((await runs(id))[0]).toMatchObject({ outcome: 'partial', refused: 1, error: null })
})

test('a link leads nowhere but to the public internet: not at first, not by its name, not by a redirect', async () => {
  const { create, run, runs } = await makeOffice(db)
  for (const url of [
    'http://files.example.com/',
    'https://127.0.0.1/x',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://db.internal/',
    'https://localhost./',
    'file:///etc/passwd',
  ])
    await expect(create({ kind: 'link', name: 'Link', url }), url).rejects.toMatchObject({ code: 'bad_request' })
  const targets = ['https://127.0.0.1/', 'http://hook.example.com/', 'https://metadata.internal/', 'file:///etc/passwd']
  for (const [i, target] of targets.entries()) {
    PAGES[`/to-${i}`] = (response) => void response.writeHead(307, { location: target }).end()
    const { id } = await create({ kind: 'link', name: 'Link', url: site.url(`/to-${i}`) })
    await run()
    expect((await runs(id))[0]?.error, target).toMatch(/leads to another one, which must/)
  }
  PAGES['/round'] = (response) => void response.writeHead(302, { location: '/round' }).end()
  const { id } = await create({ kind: 'link', name: 'Link', url: site.url('/round') })
  await run()
  expect((await runs(id))[0]?.error).toMatch(/leads on more than 5 times/)
  // The lookup of the service itself: the name has a private address.
  const { id: own } = await create({ kind: 'link', name: 'Link', url: site.url('/round') })
  await run(inside())
  expect((await runs(own))[0]?.error).toContain('not an address on the public internet')
})

test('one process runs a source at a time; a run that a process left open is closed as failed and done again', async () => {
  const { create, run, runs, contractor } = await makeOffice(db)
  PAGES['/slow.csv'] = (response) => void setTimeout(() => csv(CUSTOMERS)(response), 300)
  const { id } = await create({ kind: 'link', name: 'Slow', url: site.url('/slow.csv') })
  const both = await Promise.all([run(), run(), run()])
  expect(both.reduce((sum, each) => sum + each.runs, 0)).toBe(1)
  // A process takes it, begins a run and is killed.
  const now = new Date()
  await change(db.orm, contractor.id, id, { nextAt: now })
  await claimDueSource(db.orm, now, new Date(now.getTime() + 1_000))
  const left = { id: 'run_left', contractorId: contractor.id, sourceId: id, startedAt: now, files: [] }
  await insertRun(db.orm, { ...left, outcome: 'running' })
  expect(await run(here(), new Date(now.getTime() + 500))).toEqual({ runs: 0 })
  expect(await run(here(), new Date(now.getTime() + 1_500))).toEqual({ runs: 1 })
  const found = await runs(id)
  expect(found.find((each) => each.id === 'run_left')).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('stopped in the middle'),
  })
  expect(found.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(1)
})

test('failures are tried again later and later, reach the administrators, and pause the source after a week', async () => {
  const { create, run, runs, contractor, ctx } = await makeOffice(db)
  const { id } = await create({ kind: 'link', name: 'Nightly', url: site.url('/gone.csv') })
  const began = new Date()
  const waits: number[] = []
  let now = began
  for (let i = 0; i < 20; i++) {
    await run(here(), now)
    const source = await findSource(db.orm, contractor.id, id)
    if (!source?.nextAt || source.state === 'paused') break
    waits.push((source.nextAt.getTime() - now.getTime()) / 60_000)
    now = source.nextAt
  }
  expect(waits.slice(0, 6)).toEqual([15, 60, 240, 720, 1_440, 1_440])
  expect(now.getTime() - began.getTime()).toBeGreaterThanOrEqual(PAUSED_AFTER_MS)
  const { items } = await execute(listSources, ctx(), {})
  expect(items[0]).toMatchObject({ state: 'paused', pausedReason: 'failing', health: 'paused' })
  expect(await run(here(), new Date(now.getTime() + 30 * DAY_MS))).toEqual({ runs: 0 })
  const to = new Date(now.getTime() + 1_000)
  const alerts = await findAlerts(db.orm, ['failed_loads'], { contractorId: contractor.id, from: began, to })
  expect(alerts.map(({ title }) => title)).toContain('The source “Nightly” was paused')
  expect(JSON.stringify(alerts)).toContain('is not there')
  // A person corrects it and lets it go on.
  PAGES['/there.csv'] = csv(CUSTOMERS)
  await execute(changeSource, ctx(), { id, url: site.url('/there.csv') })
  await execute(pauseSource, ctx(), { id, paused: false })
  await run()
  expect((await runs(id))[0]?.outcome).toBe('loaded')
  await execute(removeSource, ctx(), { id })
  expect((await execute(listSources, ctx(), {})).items).toEqual([])
})

test('a source is stale when its last good run is older than twice its interval', async () => {
  const { create, run, ctx, contractor } = await makeOffice(db)
  PAGES['/fresh.csv'] = csv(CUSTOMERS)
  const { id } = await create({ kind: 'link', name: 'Nightly', url: site.url('/fresh.csv') })
  await run()
  const health = async () => (await execute(listSources, ctx(), {})).items[0]?.health
  expect(await health()).toBe('fresh')
  await change(db.orm, contractor.id, id, { lastSuccessAt: new Date(Date.now() - 2.1 * DAY_MS) })
  expect(await health()).toBe('stale')
})

test('dataAsOf: when a resource was last loaded or written; null when never', async () => {
  const { create, run, key, contractor } = await makeOffice(db)
  const asOf = async () => {
    const { body } = await call('/api/v1/metadata', { key })
    return Object.fromEntries(
      body.resources.map((each: { name: string; dataAsOf?: string | null }) => [each.name, each.dataAsOf]),
    )
  }
  expect(await asOf()).toMatchObject({ customers: null, invoices: null })
  PAGES['/as-of.csv'] = csv(CUSTOMERS)
  const { id } = await create({ kind: 'link', name: 'Nightly', url: site.url('/as-of.csv'), every: 'hour' })
  await run()
  const first = await asOf()
  expect([typeof first.customers, first.invoices]).toEqual(['string', null])
  await change(db.orm, contractor.id, id, { nextAt: new Date() })
  await run()
  // The source says that its file is as it was, which is as of now.
  expect((await asOf()).customers > first.customers).toBe(true)
})

test('a contractor has one source at a time, so that slow servers of one do not hold up another’s', async () => {
  const slow = await makeOffice(db)
  const other = await makeOffice(db)
  const link = (name: string) => ({ kind: 'link', name, url: site.url(`/${name}.csv`) }) as const
  const ids = [(await slow.create(link('one'))).id, (await slow.create(link('two'))).id]
  const { id } = await other.create(link('three'))
  const now = new Date(Date.now() + 1_000)
  const until = new Date(now.getTime() + 60_000)
  const take = async (at = now) => (await claimDueSource(db.orm, at, until))?.id
  const [first, second] = [await take(), await take()]
  expect([ids.includes(first ?? ''), second, await take()]).toEqual([true, id, undefined])
  await change(db.orm, slow.contractor.id, first ?? '', { leaseUntil: null, nextAt: until })
  expect(ids.filter((each) => each !== first)).toEqual([await take()])
})
