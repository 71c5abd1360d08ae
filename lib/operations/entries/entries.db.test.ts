import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import type { Actor } from '@/lib/auth/actor'
import { listAudit } from '@/lib/operations/audit/list-audit'
import { rotateKey } from '@/lib/operations/keys/change-keys'
import { createKey } from '@/lib/operations/keys/create-key'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { addProjectNote } from './add-project-note'
import { listEntries } from './list-entries'
import { setLeadFollowUp } from './set-lead-follow-up'
import { undoEntry } from './undo-entry'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-22T03:30:00Z')

const BOOKS = {
  'customers.csv': 'Customer ID,Name\nC1,Ana\n',
  'projects.csv': 'Project ID,Customer ID,Name,Status\nP1,C1,Roof,in_progress\nP2,C1,Porch,lead\n',
}

/** A contractor with a project and a lead, and a key that may write; it is late evening of November 21 in New York. */
async function setUp() {
  const { contractor, operator, load } = await makeTenant(db)
  expect((await load(BOOKS)).faults).toEqual([])
  const found = await rows<{ id: string }>(
    db.orm,
    sql`select id from projects where contractor_id = ${contractor.id} order by source_reference`,
  )
  const [projectId = '', leadId = ''] = found.map(({ id }) => id)
  const operatorContext = { actor: operator, now: NOW }
  const key = await execute(createKey, operatorContext, {
    name: 'Office assistant',
    preset: 'agent',
    scopes: ['write:notes', 'write:tasks'],
  })
  const actor = keyActor(contractor.id, key.id)
  return { contractor, operatorContext, key, ctx: { actor, now: NOW }, projectId, leadId }
}

const keyActor = (contractorId: string, keyId: string, lineage = keyId): Actor => ({
  kind: 'key',
  keyId,
  lineage,
  contractorId,
  scopes: new Set(['write:notes', 'write:tasks', 'read:projects']),
})

const note = (projectId: string, text = 'Call after 4 pm.', idempotencyKey = 'note-number-1') => ({
  projectId,
  text,
  idempotencyKey,
})

test('a note is stored once, told with the name of the key and the moment, and is in the audit log with the key', async () => {
  const { ctx, projectId, operatorContext, key } = await setUp()
  const first = await execute(addProjectNote, ctx, note(projectId))
  expect(first).toEqual({
    id: expect.stringMatching(/^nte_/),
    projectId,
    createdAt: NOW.toISOString(),
    repeated: false,
    undone: false,
  })
  const again = await execute(addProjectNote, { ...ctx, now: new Date() }, note(projectId))
  expect(again).toEqual({ ...first, repeated: true })
  expect(await execute(listEntries, ctx, { projectId })).toMatchObject({
    notes: [{ id: first.id, text: 'Call after 4 pm.', authorName: 'Office assistant', createdAt: NOW, inForce: true }],
    followUps: [],
  })
  const { items } = await execute(listAudit, operatorContext, { event: 'note_added' })
  expect(items).toMatchObject([{ subject: projectId, detail: { entry: first.id } }])
  expect(items[0]?.actorName).toBe(`Key Office assistant (…${key.secret.slice(-4)})`)
})

test('an idempotency key with other content is refused by name, and the first write stands', async () => {
  const { ctx, projectId, leadId } = await setUp()
  await execute(addProjectNote, ctx, note(projectId))
  const others = [
    () => execute(addProjectNote, ctx, note(projectId, 'Something else')),
    () => execute(addProjectNote, ctx, note(leadId)),
    () => execute(setLeadFollowUp, ctx, { projectId: leadId, date: '2026-12-01', idempotencyKey: 'note-number-1' }),
  ]
  for (const call of others)
    await expect(call()).rejects.toMatchObject({ code: 'bad_request', fields: [{ field: 'idempotencyKey' }] })
  expect((await execute(listEntries, ctx, { projectId })).notes).toHaveLength(1)
})

test('twenty calls with one idempotency key at once store one note, and all of them answer it', async () => {
  const { ctx, projectId, operatorContext } = await setUp()
  const answers = await Promise.all(Array.from({ length: 20 }, () => execute(addProjectNote, ctx, note(projectId))))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
  expect((await execute(listEntries, ctx, { projectId })).notes).toHaveLength(1)
  expect((await execute(listAudit, operatorContext, { event: 'note_added' })).items).toHaveLength(1)
})

test('at once on two projects one of the two is stored, the other refused', async () => {
  const { ctx, projectId, leadId } = await setUp()
  const results = await Promise.allSettled([projectId, leadId].map((id) => execute(addProjectNote, ctx, note(id))))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('idempotency keys are each author’s own, and stay with a key that is rotated', async () => {
  const { contractor, ctx, key, projectId, operatorContext } = await setUp()
  const first = await execute(addProjectNote, ctx, note(projectId))
  const other = await execute(createKey, operatorContext, { name: 'Other', scopes: ['write:notes'] })
  const byOther = { actor: keyActor(contractor.id, other.id), now: NOW }
  expect(await execute(addProjectNote, byOther, note(projectId, 'Another'))).toMatchObject({ repeated: false })
  const successor = await execute(rotateKey, operatorContext, { id: key.id, overlap: '1h' })
  const rotated = { actor: keyActor(contractor.id, successor.id, key.id), now: NOW }
  expect(await execute(addProjectNote, rotated, note(projectId))).toEqual({ ...first, repeated: true })
})

test('a follow-up takes the place of the one before, and undoing it brings that one back', async () => {
  const { ctx, leadId, operatorContext } = await setUp()
  const set = (date: string, idempotencyKey: string) =>
    execute(setLeadFollowUp, ctx, { projectId: leadId, date, idempotencyKey })
  const inForce = async () =>
    (await execute(listEntries, ctx, { projectId: leadId })).followUps
      .filter((each) => each.inForce)
      .map(({ followUpOn }) => followUpOn)
  const first = await set('2026-12-01', 'follow-up-1')
  const second = await set('2026-12-08', 'follow-up-2')
  expect([first.replaces, second.replaces]).toEqual([null, first.id])
  expect(await inForce()).toEqual(['2026-12-08'])
  await execute(undoEntry, operatorContext, { id: second.id })
  expect(await inForce()).toEqual(['2026-12-01'])
  expect(await set('2026-12-08', 'follow-up-2')).toEqual({ ...second, repeated: true, undone: true })
  expect(await inForce()).toEqual(['2026-12-01'])
  const { items } = await execute(listAudit, operatorContext, { event: 'follow_up_undone' })
  await execute(undoEntry, operatorContext, { id: second.id })
  expect((await execute(listAudit, operatorContext, { event: 'follow_up_undone' })).items).toEqual(items)
})

test('a follow-up is for a day from today on in the contractor’s calendar, and for a lead', async () => {
  const { ctx, leadId, projectId } = await setUp()
  const set = (date: string, id = leadId, idempotencyKey = `follow-up-${date}`) =>
    execute(setLeadFollowUp, ctx, { projectId: id, date, idempotencyKey })
  // In London it is the 22nd already.
  await expect(set('2026-11-21')).resolves.toMatchObject({ date: '2026-11-21' })
  await expect(set('2026-11-20')).rejects.toThrow('today is 2026-11-21 in the contractor’s calendar')
  await expect(set('2031-11-22')).rejects.toThrow('on or before 2031-11-21')
  await expect(set('2026-02-30')).rejects.toMatchObject({ fields: [{ field: 'date' }] })
  await expect(set('2026-12-01', projectId)).rejects.toThrow('a follow-up is for leads')
  // Repeated after its day, it is still the first result.
  const later = { ...ctx, now: new Date('2026-12-24T12:00:00Z') }
  const repeated = { projectId: leadId, date: '2026-11-21', idempotencyKey: 'follow-up-2026-11-21' }
  expect(await execute(setLeadFollowUp, later, repeated)).toMatchObject({ repeated: true })
})

test.each([
  ['a control character', 'bell\u0007'],
  ['an escape sequence', '\u001b[31mred'],
  ['a bidirectional override', 'abc\u202edef'],
  ['a lone surrogate', 'a\ud800'],
  ['nothing', ' \n '],
  ['too much', 'x'.repeat(2_001)],
])('a note with %s is refused', async (_, text) => {
  const { ctx, projectId } = await setUp()
  await expect(execute(addProjectNote, ctx, note(projectId, text))).rejects.toMatchObject({
    code: 'bad_request',
    fields: [{ field: 'text' }],
  })
})

test('nothing of the books changes: a project with a note is as it was, its updatedAt too', async () => {
  const { ctx, leadId } = await setUp()
  const read = () => rows(db.orm, sql`select to_jsonb(p) as row from projects p where id = ${leadId}`)
  const before = await read()
  await execute(addProjectNote, ctx, note(leadId))
  await execute(setLeadFollowUp, ctx, { projectId: leadId, date: '2026-12-01', idempotencyKey: 'follow-up-1' })
  expect(await read()).toEqual(before)
})

const rpc = (key: string, name: string, args: object) =>
  call('/mcp/rpc', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })

test('over MCP: a key with the scope writes, one of every preset is refused and is not shown the tools', async () => {
  const { key, projectId, operatorContext } = await setUp()
  const { body } = await rpc(key.secret, 'add_project_note', note(projectId))
  expect(body.result.structuredContent).toMatchObject({ projectId, repeated: false })
  for (const preset of ['agent', 'integration', 'lead-source'] as const) {
    const other = await execute(createKey, operatorContext, { name: preset, preset })
    expect(other.scopes).not.toContain('write:notes')
    expect((await rpc(other.secret, 'add_project_note', note(projectId))).body.error).toMatchObject({
      data: { reason: expect.stringContaining('write:notes') },
    })
  }
})
