import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { insertDelivery } from '@/db/queries/deliveries'
import { claimDueMessages, queueMessages } from '@/db/queries/outbox'
import { operatorFor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { createKey } from '@/lib/auth/manage-keys'
import { newId } from '@/lib/core/ids'
import { listenOnFreePort } from '@/lib/core/listen'
import { dayIn } from '@/lib/core/time'
import { getAlerts, setAlerts, testAlerts } from '@/lib/operations/alerts/alerts'
import { listEntries } from '@/lib/operations/entries/list-entries'
import { setLeadFollowUp } from '@/lib/operations/entries/set-lead-follow-up'
import { undoEntry } from '@/lib/operations/entries/undo-entry'
import { execute } from '@/lib/operations/execute'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import type { Mail } from './mail'
import { runNotifications } from './run'

let db: Database
const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-mail-'))
beforeAll(async () => {
  process.env.PLUMBLINE_DATA_DIR = dataDir
  db = await openPeopleDatabase()
})
afterAll(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() =>
  db.orm.execute(sql`delete from outgoing_messages`).then(() => db.orm.execute(sql`delete from alert_settings`)),
)

const MINUTE = 60_000
const HOOK = 'https://hooks.slack.com/services/T0/B0/secret'

/** Creates a team of one person, with a clock that starts now, and records what is sent. */
async function makeTeam() {
  const { contractor, load } = await makeTenant(db)
  const actor = await makeMember(db, contractor.id)
  const start = Date.now()
  const mails: Mail[] = []
  const hooks: { to: string; subject: string; body: string }[] = []
  let isDown = false
  const senders = {
    email: async (mail: Mail) => void mails.push(mail),
    webhook: async (to: string, message: { subject: string; body: string }) => {
      if (isDown) throw new Error(`connect ECONNREFUSED ${to}`)
      hooks.push({ to, ...message })
    },
  }
  const at = (minutes: number) => new Date(start + minutes * MINUTE)
  const refuse = (minutes: number, leadName: string, more: { replayOf?: string } = {}) =>
    insertDelivery(db.orm, {
      id: newId('delivery'),
      contractorId: contractor.id,
      requestId: 'req_x',
      source: 'zapier',
      receivedAt: at(minutes),
      bytes: 2,
      body: '{}',
      outcome: 'refused',
      status: 400,
      reason: 'phone: is required',
      leadName,
      ...more,
    })
  const set = (given: Partial<Parameters<typeof setAlerts.input.parse>[0] & object> = {}) =>
    execute(
      setAlerts,
      { actor, now: at(0) },
      {
        kinds: ['refused_leads'],
        digest: 'immediate',
        byEmail: true,
        webhookUrl: HOOK,
        ...given,
      },
    )
  const run = (minutes: number) => runNotifications({ now: at(minutes), senders })
  const goDown = (down: boolean) => {
    isDown = down
  }
  return { contractor, load, actor, at, mails, hooks, refuse, set, run, goDown }
}

const LEADS = ['Open', 'Moved', 'Undone', 'Sold'] as const

/** Loads leads of one customer, and returns their ids by name. */
async function makeLeads({ contractor, load }: Awaited<ReturnType<typeof makeTeam>>) {
  const leads = LEADS.map((name) => `${name},C1,${name},lead`)
  await load({
    'customers.csv': 'Customer ID,Name\nC1,Ana\n',
    'projects.csv': ['Project ID,Customer ID,Name,Status', ...leads].join('\n'),
  })
  const found = await rows<{ id: string; name: string }>(
    db.orm,
    sql`select id, name from projects where contractor_id = ${contractor.id}`,
  )
  const idOf = new Map(found.map(({ id, name }) => [name, id]))
  return (name: (typeof LEADS)[number]) => idOf.get(name) ?? ''
}

test('nothing is sent until alerts are chosen; then each refused lead is sent once per channel, however often and wherever this runs', async () => {
  const { actor, contractor, mails, hooks, refuse, set, run } = await makeTeam()
  await refuse(-5, 'Before')
  expect(await run(0)).toEqual({ gathered: 0, sent: 0, failed: 0 })
  expect(await execute(getAlerts, { actor, now: new Date() }, {})).toMatchObject({ kinds: [], byEmail: false })
  await set()
  await refuse(1, 'Ana\nLopez')
  await refuse(1, 'Bob')
  await refuse(1, 'Replay', { replayOf: 'dlv_1' })
  await Promise.all([run(3), run(3)])
  await run(4)
  expect(mails.map(({ to }) => to)).toEqual([actor.email])
  expect(mails[0]?.subject).toBe(`${contractor.name}: 2 leads refused`)
  expect(mails[0]?.text).toMatch(/- Ana Lopez \(zapier\): phone: is required\n- Bob .*\n.*\/leads\?outcome=refused/)
  expect(mails[0]?.text).not.toContain('Before')
  expect(hooks).toEqual([{ to: HOOK, subject: mails[0]?.subject, body: mails[0]?.text }])
  await refuse(5, 'Cy')
  await run(6)
  expect(mails.map(({ text }) => /Cy/.test(text))).toEqual([false, true])
})

test('an hourly digest is sent after its hour and lists everything from it', async () => {
  const { mails, refuse, set, run } = await makeTeam()
  await set({ digest: 'hourly' })
  for (const minute of [1, 20, 40]) await refuse(minute, `Lead ${minute}`)
  await run(50)
  expect(mails).toEqual([])
  await run(61)
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('3 leads refused')])
})

test('a message that cannot be delivered waits in the database and is retried at growing intervals for about a day', async () => {
  const { actor, mails, hooks, refuse, set, run, goDown } = await makeTeam()
  await set()
  goDown(true)
  await refuse(1, 'Ana')
  expect(await run(3)).toEqual({ gathered: 2, sent: 1, failed: 1 })
  expect(await run(3.5)).toMatchObject({ sent: 0, failed: 0 })
  const shown = async () => (await execute(getAlerts, { actor, now: new Date() }, {})).messages
  const [failed] = (await shown()).filter(({ channel }) => channel === 'webhook')
  expect(failed).toMatchObject({ attempts: 1, sentAt: null, lastError: 'connect ECONNREFUSED the address' })
  goDown(false)
  expect(await run(5)).toMatchObject({ sent: 1 })
  expect([mails.length, hooks.length]).toEqual([1, 1])
  goDown(true)
  await refuse(6, 'Bob')
  for (let minute = 8; minute < 3 * 1_440; minute += 30) await run(minute)
  expect((await shown()).find(({ failedAt }) => failedAt)).toMatchObject({ channel: 'webhook', attempts: 8 })
  expect(await run(4 * 1_440)).toMatchObject({ failed: 0 })
})

test('people who left the team or removed their address get no more alerts', async () => {
  const { actor, contractor, mails, hooks, refuse, set, run } = await makeTeam()
  await set()
  await refuse(1, 'Ana')
  await set({ webhookUrl: null, digest: 'immediate' })
  await db.orm.execute(sql`update alert_settings set webhook_url = ${HOOK}`)
  await db.orm.execute(
    sql`delete from members where person_id = ${actor.personId} and contractor_id = ${contractor.id}`,
  )
  await run(3)
  expect([mails, hooks]).toEqual([[], []])
})

test('people who become viewers get no more alerts, not even queued ones; as developers they get them again', async () => {
  const { actor, contractor, mails, hooks, refuse, set, run } = await makeTeam()
  const become = (role: string) =>
    db.orm.execute(
      sql`update members set role = ${role} where person_id = ${actor.personId} and contractor_id = ${contractor.id}`,
    )
  await set()
  await refuse(1, 'Ana')
  await become('viewer')
  await run(3)
  expect([mails, hooks]).toEqual([[], []])
  await become('developer')
  await refuse(5, 'Bob')
  await run(7)
  expect(mails.map(({ text }) => /Ana|Bob/.exec(text)?.[0])).toEqual(['Bob'])
})

test('expiring keys, error spikes, and failed loads are reported', async () => {
  const { actor, contractor, at, mails, set, run } = await makeTeam()
  const operator = operatorFor(contractor.id)
  const DAY = 1_440
  const make = (name: string, days: number) =>
    createKey(db.orm, contractor, { name, scopes: ['read:projects'], expiresAt: at(days * DAY + 2) }, operator)
  await make('Books', 7)
  await make('Later', 20)
  await set({ kinds: ['expiring_keys', 'error_spikes', 'failed_loads'], webhookUrl: undefined })
  await audit(db.orm, operator, {
    event: 'data_loaded',
    subject: 'customers.csv',
    detail: { rows: 9, added: 7, updated: 0, refused: 2, isWhole: true },
  })
  await audit(db.orm, operator, {
    event: 'data_loaded',
    subject: 'fine.csv',
    detail: { rows: 9, added: 9, updated: 0, refused: 0, isWhole: true },
  })
  const hour = new Date(Math.floor(at(0).getTime() / 3_600_000) * 3_600_000)
  const sums = (back: number, requests: number, errors: number) =>
    db.orm.execute(sql`insert into request_sums (contractor_id, hour, key_id, endpoint, face, status_class, requests, errors, limited, duration_ms)
      values (${contractor.id}, ${hour.toISOString()}::timestamptz - ${back} * interval '1 hour', '', 'list_invoices', 'api', 4, ${requests}, ${errors}, 0, 1)`)
  await sums(0, 100, 50)
  await sums(3, 500, 5)
  await run(75)
  const text = mails.map((mail) => mail.text).join('\n')
  expect(text).toContain('The key “Books” expires within 7 days')
  expect(text).toContain('50 of 100 requests failed')
  expect(text).toContain('customers.csv: 2 rows refused, loaded by command line')
  expect(text).not.toMatch(/Later|fine\.csv/)
  await run(150)
  expect(mails).toHaveLength(1)
  await run(6 * DAY + 75)
  expect(mails[1]?.text).toContain('The key “Books” expires within 1 day')
  expect(actor.email).toBe(mails[1]?.to)
})

test('a follow-up is reported once, at midnight of the contractor’s day, unless it was moved, undone or its lead is closed', async () => {
  const team = await makeTeam()
  const { contractor, mails, set, run, at } = team
  const ctx = { actor: operatorFor(contractor.id), now: at(0) }
  const idOf = await makeLeads(team)
  const day = (days: number) => dayIn(contractor.timezone, at(days * 1_440))
  const follow = (name: (typeof LEADS)[number], date: string) =>
    execute(setLeadFollowUp, ctx, {
      projectId: idOf(name),
      date,
      text: `Call ${name}`,
      idempotencyKey: `${name}-${date}`,
    })
  for (const name of LEADS) await follow(name, day(1))
  await follow('Moved', day(9))
  const { followUps } = await execute(listEntries, ctx, { projectId: idOf('Undone') })
  await execute(undoEntry, ctx, { id: followUps[0]?.id ?? '' })
  await db.orm.execute(sql`update projects set status = 'scheduled' where id = ${idOf('Sold')}`)
  await set({ kinds: ['due_follow_ups'], webhookUrl: undefined })
  for (let minute = 30; minute <= 2 * 1_440; minute += 30) await run(minute)
  expect(mails.map(({ subject }) => subject)).toEqual([`${contractor.name}: 1 follow-up due`])
  expect(mails[0]?.text).toContain('- Ana, Open: Call Open')
})

test('addresses are checked when they are set and never shown again; each person sets their own; a channel is required', async () => {
  const { actor, set } = await makeTeam()
  const refusal = { code: 'bad_request', fields: [{ field: 'webhookUrl' }] }
  await expect(set({ webhookUrl: 'https://169.254.169.254/' })).rejects.toMatchObject(refusal)
  await expect(set({ byEmail: false, webhookUrl: null })).rejects.toMatchObject(refusal)
  const now = new Date()
  await expect(execute(testAlerts, { actor, now }, {})).rejects.toMatchObject({ code: 'bad_request' })
  const shown = await set()
  expect(shown.webhookHost).toBe('hooks.slack.com')
  expect(JSON.stringify(shown)).not.toContain('/services/')
  expect(await set({ webhookUrl: undefined })).toMatchObject({ webhookHost: 'hooks.slack.com' })
  const other = await makeTeam()
  expect(await execute(getAlerts, { actor: other.actor, now }, {})).toMatchObject({ kinds: [], webhookHost: null })
})

const answerTo = (text: string) => {
  if (/^EHLO/i.test(text)) return '250 test'
  return /^DATA/i.test(text) ? '354 go on' : '250 yes'
}

/** Starts a mail server that accepts one email and records the commands. */
async function mailServer() {
  const told: string[] = []
  const server = createServer((socket) => {
    let isData = false
    socket.write('220 test\r\n')
    socket.on('data', (bytes) => {
      const text = bytes.toString()
      told.push(text)
      if (isData && !text.endsWith('\r\n.\r\n')) return
      socket.write(`${isData ? '250 taken' : answerTo(text)}\r\n`)
      isData = /^DATA/i.test(text)
    })
    socket.on('error', () => {})
  })
  return { told, port: await listenOnFreePort(server), close: () => server.close() }
}

test('email is written to a file without an SMTP server and sent with one; a test message is delivered', async () => {
  const { sendMail } = await import('./mail')
  const { actor } = await makeTeam()
  await execute(setAlerts, { actor, now: new Date() }, { kinds: [], digest: 'daily', byEmail: true })
  await execute(testAlerts, { actor, now: new Date() }, {})
  expect(await runNotifications()).toMatchObject({ sent: 1, failed: 0 })
  const [file = ''] = readdirSync(join(dataDir, 'outbox'))
  const written = readFileSync(join(dataDir, 'outbox', file), 'utf8')
  expect(written).toContain(`To: ${actor.email}`)
  expect(written).toContain('Subject: Test of your Plumbline alerts')
  const server = await mailServer()
  const { env } = await import('@/lib/core/env')
  Object.assign(env(), { mail: { url: `smtp://127.0.0.1:${server.port}`, from: 'alerts@example.com' } })
  await sendMail({ id: 'msg_1', to: 'ana@example.com', subject: 'Hello\r\nBcc: eve@example.com', text: 'Words' })
  server.close()
  const all = server.told.join('')
  expect(all).toMatch(/MAIL FROM:<alerts@example\.com>[\s\S]*RCPT TO:<ana@example\.com>/)
  expect(all).not.toMatch(/^(Bcc|RCPT TO:<eve)/m)
  Object.assign(env(), { mail: undefined })
  const [row] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from outgoing_messages where sent_at is null`,
  )
  expect(row?.n).toBe(0)
})

test('contractors have turns: what waits of one does not hold up another’s', async () => {
  const { orm } = db
  const [many, one] = [await makeTenant(db), await makeTenant(db)]
  const at = (second: number) => new Date(Date.now() - 60_000 + second * 1_000)
  const message = (contractorId: string, second: number) => ({
    ...{ id: newId('message'), contractorId, personId: null, toAddress: 'ana@example.com' },
    ...{ channel: 'email' as const, subject: 'Alert', body: '', createdAt: at(second), nextAt: at(second) },
  })
  const last = message(one.contractor.id, 50)
  await queueMessages(orm, [...Array.from({ length: 40 }, (_, i) => message(many.contractor.id, i)), last])
  const taken = await claimDueMessages(orm, new Date(), 20, ['admin'])
  expect(taken).toHaveLength(20)
  expect(taken.map(({ id }) => id)).toContain(last.id)
})
