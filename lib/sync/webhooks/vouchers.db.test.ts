import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { putMember } from '@/db/queries/members'
import { endGrants, findGrant, insertGrant } from '@/db/queries/oauth-grants'
import type { Actor, KeyActor } from '@/lib/auth/actor'
import { revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { endReplaced } from '@/lib/auth/oauth/grants'
import { newId } from '@/lib/core/ids'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { findAlerts } from '@/lib/notify/alerts'
import { execute } from '@/lib/operations/execute'
import { operations } from '@/lib/operations/registry'
import { changeWebhook } from '@/lib/operations/webhooks/change-webhook'
import { createWebhook } from '@/lib/operations/webhooks/create-webhook'
import { getWebhook } from '@/lib/operations/webhooks/list-webhooks'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { runWebhooks } from './run'
import type { Post } from './send'

const SCOPES = [...RESOURCE_NAMES.map(scopeOf), 'write:webhooks' as const]
const DAY_MS = 86_400_000

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** A tenant with a webhook that its operator made, keys to it, and what was posted where. */
async function tenantWithWebhook() {
  const tenant = await makeTenant(db)
  const { contractor, operator } = tenant
  await tenant.load(sampleBooks(1))
  const now = new Date()
  const { id } = await execute(
    createWebhook,
    { actor: operator, now },
    { url: 'https://good.example.com/', events: ['project.updated'] },
  )
  const actorOf = (keyId: string, grant?: KeyActor['grant']): KeyActor => ({
    kind: 'key',
    keyId,
    lineage: keyId,
    contractorId: contractor.id,
    scopes: new Set(SCOPES),
    grant,
  })
  const newKey = async () => {
    const { id: keyId } = await tenant.key(SCOPES)
    return { keyId, actor: actorOf(keyId) }
  }
  const change = (actor: Actor, changes: { url?: string; paused?: boolean; description?: string }) =>
    execute(changeWebhook, { actor, now: new Date() }, { id, ...changes })
  const posted: string[] = []
  const post: Post = async (to) => {
    posted.push(new URL(to).hostname)
    return { status: 200, text: '' }
  }
  /** Changes a record and sends what is due, at a moment so long from now. Returns where it was posted. */
  const send = async (inMs = 0) => {
    posted.length = 0
    await rows(db.orm, sql`update projects set name = name || '.' where contractor_id = ${contractor.id}`)
    await runWebhooks({ post, clock: () => new Date(Date.now() + inMs) })
    return [...posted]
  }
  const state = async () => {
    const shown = await execute(getWebhook, { actor: operator, now: new Date() }, { id })
    return [shown.state, shown.pausedReason]
  }
  return { ...tenant, id, actorOf, newKey, change, send, state }
}

async function newPerson(contractorId: string, role: 'admin' | 'developer' = 'admin') {
  const id = newId('person')
  const email = `${id}@example.com`
  await rows(db.orm, sql`insert into people (id, name, email) values (${id}, 'Ana', ${email})`)
  await putMember(db.orm, { contractorId, personId: id, role })
  return personActor({ id, email }, contractorId, role)
}

test('a key that set the address: revoked, it is sent nothing more, administrators are told, and whoever resumes it vouches', async () => {
  const { contractor, operator, id, newKey, change, send, state } = await tenantWithWebhook()
  const before = new Date(Date.now() - 1_000)
  const [thief, other] = [await newKey(), await newKey()]
  await change(thief.actor, { url: 'https://evil.example.net/' })
  expect(await send()).toEqual(['evil.example.net'])
  // A change of something else, or the same address again, is by nobody who vouches for it.
  await change(other.actor, { description: 'Accounting', url: 'https://evil.example.net/' })
  await revokeKey(db.orm, thief.keyId, operator)
  expect(await send()).toEqual([])
  expect(await state()).toEqual(['paused', 'key'])
  const [alert] = await findAlerts(db.orm, ['paused_webhooks'], {
    contractorId: contractor.id,
    from: before,
    to: new Date(Date.now() + 60_000),
  })
  expect(alert?.lines.join()).toContain('The key that last set its address was revoked')
  const entries = await listAudit(db.orm, { contractorId: contractor.id, event: 'webhook_changed', limit: 10 })
  expect(entries.map(({ detail }) => detail)).toContainEqual({
    host: 'evil.example.net',
    hostBefore: 'good.example.com',
  })
  const admin = await newPerson(contractor.id)
  await change(admin, { url: 'https://good.example.com/', paused: false })
  expect(await send()).toEqual(['good.example.com', 'good.example.com'])
  await change(other.actor, { paused: true })
  await change(other.actor, { paused: false })
  await rows(db.orm, sql`delete from members where person_id = ${admin.personId}`)
  expect(await send()).toEqual(['good.example.com'])
  await revokeKey(db.orm, other.keyId, operator)
  expect(await send()).toEqual([])
  expect([await state(), id]).toEqual([['paused', 'key'], id])
})

test('a key that expires pauses it; one that was rotated is succeeded', async () => {
  const { operator, newKey, change, send, state } = await tenantWithWebhook()
  const { keyId, actor } = await newKey()
  await change(actor, { url: 'https://key.example.com/' })
  const successor = await rotateKey(db.orm, keyId, 'now', operator)
  expect(await send()).toEqual(['key.example.com'])
  await rows(db.orm, sql`update api_keys set expires_at = now() + interval '10 days' where id = ${successor.id}`)
  expect(await send(9 * DAY_MS)).toEqual(['key.example.com'])
  expect(await send(11 * DAY_MS)).toEqual([])
  expect(await state()).toEqual(['paused', 'key'])
})

test('a connection that ends pauses it; one that the same program replaces is succeeded', async () => {
  const { contractor, actorOf, change, send, state } = await tenantWithWebhook()
  const person = await newPerson(contractor.id)
  const clientId = newId('source')
  await rows(
    db.orm,
    sql`insert into oauth_clients (id, client_id, redirect_uris) values (${clientId}, ${clientId}, array['https://app.example.com/'])`,
  )
  const connect = async () => {
    const id = newId('grant')
    const grant = { id, contractorId: contractor.id, clientId, userId: person.personId, referenceId: id }
    await insertGrant(db.orm, { ...grant, scopes: SCOPES, clientName: 'App', destination: 'app.example.com' })
    const record = await findGrant(db.orm, id)
    if (!record) throw new Error('no grant')
    return record
  }
  const first = await connect()
  const grant = {
    person: { id: person.personId, name: 'Ana', email: person.email },
    client: 'App',
    role: 'admin',
  } as const
  await change(actorOf(first.id, { ...grant, face: 'api' }), { url: 'https://app.example.com/' })
  const second = await connect()
  await endReplaced(second, '10.0.0.1')
  expect(await send()).toEqual(['app.example.com'])
  await endGrants(db.orm, { id: second.id })
  expect(await send()).toEqual([])
  expect(await state()).toEqual(['paused', 'connection'])
})

test.each(['removed', 'made a developer'])('a person who set the address and is %s pauses it', async (how) => {
  const { contractor, change, send, state } = await tenantWithWebhook()
  const person = await newPerson(contractor.id)
  await change(person, { url: 'https://person.example.com/' })
  expect(await send()).toEqual(['person.example.com'])
  await (how === 'removed'
    ? rows(db.orm, sql`delete from members where person_id = ${person.personId}`)
    : putMember(db.orm, { contractorId: contractor.id, personId: person.personId, role: 'developer' }))
  expect(await send()).toEqual([])
  expect(await state()).toEqual(['paused', 'member'])
})

test('one from before it was stored who set an address goes on, unless the key that made it has ended', async () => {
  const { operator, id, newKey, send, state } = await tenantWithWebhook()
  await rows(db.orm, sql`update webhook_endpoints set vouched_by = null, created_by = 'person' where id = ${id}`)
  expect(await send()).toEqual(['good.example.com'])
  const { keyId } = await newKey()
  await rows(db.orm, sql`update webhook_endpoints set created_by = ${keyId} where id = ${id}`)
  expect(await send()).toEqual(['good.example.com'])
  await revokeKey(db.orm, keyId, operator)
  expect(await send()).toEqual([])
  expect(await state()).toEqual(['paused', 'key'])
})

test('no other operation that a key may call takes an address that data is sent to', () => {
  const taking = Object.values(operations)
    .filter(({ access }) => !['operator', 'admin', 'developer', 'account', 'invited'].includes(String(access)))
    .filter(({ input }) => Object.keys(input.shape).some((name) => /url|host|endpoint|callback|redirect/i.test(name)))
    .map(({ name }) => name)
  expect(taking.sort()).toEqual(['change_webhook', 'create_webhook'])
})
