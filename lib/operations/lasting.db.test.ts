import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, rows } from '@/db/client'
import { operatorFor, type PersonActor } from '@/lib/auth/actor'
import { addPasskey, beginPasskey } from '@/lib/auth/people/passkeys'
import { passkeySite } from '@/lib/auth/people/sign-in-settings'
import { ProofNeeded } from '@/lib/auth/require'
import { env } from '@/lib/core/env'
import { Authenticator } from '@/lib/testing/authenticator'
import { reachProviders, startForger } from '@/lib/testing/identity-provider'
import {
  deliverMails,
  enter,
  makeMember,
  openPeopleDatabase,
  PASSWORD,
  passkeysOf,
  useMailServer,
} from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import type { Operation } from './define'
import { execute } from './execute'
import { operations as o } from './registry'

let db: Database
let forger: Awaited<ReturnType<typeof startForger>>
beforeAll(async () => {
  db = await openPeopleDatabase()
  useMailServer()
  reachProviders()
  forger = await startForger('plumbline')
})
afterAll(async () => {
  forger.close()
  await db.close()
})

const now = () => new Date()

/** A contractor with two administrators; the first acts. */
async function makeTeam() {
  const { contractor } = await makeTenant(db, 'Harpeth Roofing')
  const admin = await makeMember(db, contractor.id)
  const second = await makeMember(db, contractor.id)
  const run = <I extends z.ZodObject, O extends z.ZodType>(operation: Operation<I, O>, input: z.input<I>) =>
    execute(operation, { actor: admin, now: now() }, input)
  return { contractor, admin, second, run }
}
type Team = Awaited<ReturnType<typeof makeTeam>>

/** Prepares what a case needs first, and returns the change itself as some actor makes it. */
type Change = (team: Team) => Promise<(by: PersonActor) => Promise<unknown>>
const change =
  <I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: (team: Team) => Promise<z.input<I>>,
  ) =>
  async (team: Team) => {
    const given = await input(team)
    return (actor: PersonActor) => execute(operation, { actor, now: now() }, given)
  }

const sso = () => ({ issuer: forger.issuer, clientId: 'plumbline', clientSecret: 's', domains: ['example.com'] })
const webhook = { url: 'https://hooks.example.com/x', events: ['invoice.created'] }
const source = { kind: 'link', name: 'Jobs', url: 'https://files.example.com/jobs.csv' } as const
const made = async (team: Team) => (await team.run(o.createKey, { name: 'Sync', preset: 'agent' })).id

const CHANGES: [string, Change, RegExp][] = [
  [
    'create_key',
    change(o.createKey, async () => ({ name: 'Sync', preset: 'agent' as const })),
    /created the key “Sync”.*without an end/,
  ],
  [
    'rotate_key',
    change(o.rotateKey, async (team) => ({ id: await made(team), overlap: 'now' as const })),
    /rotated the key “Sync”/,
  ],
  [
    'change_key',
    change(o.changeKey, async (team) => ({ id: await made(team), name: 'Other' })),
    /changed the key “Other”.*from any address/,
  ],
  ['set_sso', change(o.setSso, async () => sso()), /set single sign-on to https.*example\.com/],
  [
    'require_sso',
    change(o.requireSso, async ({ run }) => {
      await run(o.setSso, sso())
      return { required: false }
    }),
    /which is not required/,
  ],
  [
    'remove_sso',
    change(o.removeSso, async ({ run }) => {
      await run(o.setSso, sso())
      return {}
    }),
    /removed single sign-on with/,
  ],
  [
    'invite_member',
    change(o.inviteMember, async () => ({ email: 'new@example.com', role: 'admin' as const })),
    /invited new@example\.com as admin/,
  ],
  [
    'resend_invitation',
    change(o.resendInvitation, async ({ run }) => {
      await run(o.inviteMember, { email: 'new@example.com', role: 'admin' as const })
      return { id: (await run(o.listTeam, {})).invitations[0]?.id ?? '' }
    }),
    /mailed the invitation again to new@example\.com/,
  ],
  [
    'change_role',
    change(o.changeRole, async ({ contractor }) => {
      const { personId } = await makeMember(db, contractor.id, 'viewer')
      return { personId, role: 'admin' as const }
    }),
    /changed the role of .*@example\.com, who was viewer, to admin/,
  ],
  [
    'remove_member',
    change(o.removeMember, async ({ contractor }) => {
      const { personId } = await makeMember(db, contractor.id, 'viewer')
      return { personId }
    }),
    /removed .*@example\.com, who was viewer/,
  ],
  ['create_webhook', change(o.createWebhook, async () => webhook), /created the webhook to hooks\.example\.com/],
  [
    'change_webhook',
    change(o.changeWebhook, async ({ run }) => ({
      id: (await run(o.createWebhook, webhook)).id,
      url: 'https://elsewhere.example.org/x',
    })),
    /changed the webhook to elsewhere\.example\.org/,
  ],
  [
    'rotate_webhook_secret',
    change(o.rotateWebhookSecret, async ({ run }) => ({
      id: (await run(o.createWebhook, webhook)).id,
    })),
    /rotated the secret of the webhook/,
  ],
  ['create_source', change(o.createSource, async () => source), /set up the source “Jobs”/],
  [
    'change_source',
    change(o.changeSource, async ({ run }) => ({
      id: (await run(o.createSource, source)).id,
      url: 'https://other.example.com/jobs.csv',
    })),
    /changed the source “Jobs”/,
  ],
  [
    'set_lead_secret',
    change(o.setLeadSecret, async () => ({ source: 'typeform' as const })),
    /set the secret of the lead source typeform/,
  ],
  [
    'remove_lead_secret',
    change(o.removeLeadSecret, async () => ({ source: 'typeform' as const })),
    /removed the secret of the lead source typeform/,
  ],
  [
    'limit_connections',
    change(o.limitConnections, async () => ({ destinations: null })),
    /which programs may be connected to any/,
  ],
  [
    'set_alerts',
    change(o.setAlerts, async () => ({
      kinds: ['refused_leads' as const],
      digest: 'hourly' as const,
      byEmail: false,
      webhookUrl: 'https://chat.example.com/x',
    })),
    /changed their alerts to go to chat\.example\.com/,
  ],
]

const waiting = (contractorId: string) =>
  rows(
    db.orm,
    sql`select 1 as n from outgoing_messages where contractor_id = ${contractorId} and about->>'kind' = 'lasting'
    and sent_at is null and failed_at is null`,
  )
const written = (contractorId: string) =>
  rows(db.orm, sql`select id from audit_events where contractor_id = ${contractorId}`)

test.each(CHANGES)(
  '%s: refused without a recent proof; with one, all administrators get an email',
  async (_, begin, says) => {
    const team = await makeTeam()
    const { contractor, admin, second } = team
    const make = await begin(team)
    await deliverMails()
    const before = (await written(contractor.id)).length
    await expect(make({ ...admin, provenAt: new Date(Date.now() - 3_600_000) })).rejects.toBeInstanceOf(ProofNeeded)
    expect(await written(contractor.id)).toHaveLength(before)
    expect(await waiting(contractor.id)).toEqual([])
    await make(admin)
    expect(await waiting(contractor.id)).toHaveLength(2)
    const mails = (await deliverMails()).filter(({ subject }) => subject.startsWith('Harpeth Roofing: '))
    expect(mails.map(({ to }) => to).sort()).toEqual([admin.email, second.email].sort())
    for (const { text } of mails) {
      expect(text).toMatch(says)
      expect(text).toContain(admin.email)
      expect(text).toMatch(/When: \d{4}-\d\d-\d\d \d\d:\d\d UTC\nFrom: 10\.0\.0\.1/)
      expect(text).toContain('/audit')
    }
  },
)

test('every operation that asks for a proof is shown above, or below', () => {
  const asking = Object.values(o)
    .filter((operation) => 'proof' in operation && operation.proof)
    .map(({ name }) => name)
  // Removing a passkey is of the account, and connecting books ends at the vendor: lib/operations/connectors/connectors.db.test.ts.
  const shown = [...CHANGES.map(([name]) => name), 'remove_passkey', 'begin_connector']
  expect(asking.sort()).toEqual(shown.sort())
})

test('the operator is asked nothing, and the administrators are told all the same', async () => {
  const { contractor, admin } = await makeTeam()
  await deliverMails()
  const actor = operatorFor(contractor.id)
  await execute(o.createKey, { actor, now: now() }, { name: 'By hand', preset: 'agent' })
  const [mail] = (await deliverMails()).filter(({ to }) => to === admin.email)
  expect(mail?.text).toMatch(/command line created the key “By hand”[\s\S]*From: the command line/)
})

test('a key that reads for a month asks nothing and tells nobody', async () => {
  const { contractor, admin } = await makeTeam()
  await deliverMails()
  const expiresAt = new Date(Date.now() + 30 * 86_400_000)
  const actor = { ...admin, provenAt: null }
  const { id } = await execute(o.createKey, { actor, now: now() }, { name: 'Trial', preset: 'agent', expiresAt })
  await execute(o.rotateKey, { actor, now: now() }, { id, overlap: 'now' })
  expect(await waiting(contractor.id)).toEqual([])
})

test('a passkey that is added or removed is told to its owner; removing asks for a proof', async () => {
  const { admin } = await makeTeam()
  const { browser } = await enter(admin)
  const { options } = browser.keep(await beginPasskey(browser.visitor, admin, { password: PASSWORD }))
  const device = new Authenticator(passkeySite(env()))
  await deliverMails()
  await addPasskey(browser.visitor, admin, { name: 'Phone', answer: device.make(options, { synced: true }) })
  const [added] = await deliverMails()
  expect(added).toMatchObject({ to: admin.email, text: expect.stringContaining('added the passkey Phone') })
  const [passkey] = await passkeysOf(admin)
  const remove = (by: PersonActor) => execute(o.removePasskey, { actor: by, now: now() }, { id: passkey?.id ?? '' })
  await expect(remove({ ...admin, provenAt: null })).rejects.toBeInstanceOf(ProofNeeded)
  await remove(admin)
  expect((await deliverMails())[0]?.text).toContain('removed the passkey Phone')
})

test('a flood is mailed up to a limit, whose last email points to the audit log', async () => {
  const { contractor, admin, run } = await makeTeam()
  await deliverMails()
  for (let i = 0; i < 35; i++) await run(o.setLeadSecret, { source: 'typeform' })
  const mails: string[] = []
  for (let taken = await deliverMails(); taken.length > 0; taken = await deliverMails())
    mails.push(...taken.filter(({ to }) => to === admin.email).map(({ text }) => text))
  expect(mails).toHaveLength(30)
  expect(mails.filter((text) => text.includes('not mailed'))).toHaveLength(1)
  expect(await waiting(contractor.id)).toEqual([])
})

test('what a member set up is listed; it is kept or ended as the administrator chooses, and the one who leaves is told', async () => {
  const team = await makeTeam()
  const { admin, second } = team
  const bySecond = { actor: second, now: now() }
  const kept = await execute(o.createKey, bySecond, { name: 'Theirs', preset: 'agent' })
  const rotated = await execute(o.rotateKey, bySecond, { id: await made(team), overlap: '24h' })
  const hook = await execute(o.createWebhook, bySecond, webhook)
  const feed = await execute(o.createSource, bySecond, source)
  await execute(o.issueExplorerKey, bySecond, {})
  const setup = () => team.run(o.getMemberSetup, { personId: second.personId })
  expect(await setup()).toMatchObject({
    keys: [
      { id: kept.id, name: 'Theirs' },
      { id: rotated.id, name: 'Sync' },
    ],
    webhooks: [{ id: hook.id, host: 'hooks.example.com' }],
    sources: [{ id: feed.id, name: 'Jobs' }],
    books: [],
  })
  // The first administrator's own secret of the rotated key is theirs.
  expect((await team.run(o.getMemberSetup, { personId: admin.personId })).keys).toMatchObject([{ name: 'Sync' }])

  // Kept unless chosen otherwise, and never ended where the change is refused.
  await team.run(o.changeRole, { personId: second.personId, role: 'developer' })
  await team.run(o.changeRole, { personId: second.personId, role: 'admin', setup: 'end' })
  expect((await setup()).keys).toHaveLength(2)
  const lonely = { personId: admin.personId, setup: 'end' } as const
  await team.run(o.changeRole, { personId: second.personId, role: 'viewer' })
  await expect(team.run(o.removeMember, lonely)).rejects.toMatchObject({ code: 'bad_request' })
  expect((await team.run(o.getMemberSetup, { personId: admin.personId })).keys).toHaveLength(1)
  await team.run(o.changeRole, { personId: second.personId, role: 'admin' })

  await deliverMails()
  await team.run(o.removeMember, { personId: second.personId, setup: 'end' })
  expect(await setup()).toMatchObject({ keys: [], webhooks: [], sources: [] })
  const states = (await team.run(o.listKeys, {})).items.map(({ id, state }) => [id, state])
  expect(Object.fromEntries(states)).toMatchObject({ [kept.id]: 'revoked', [rotated.id]: 'revoked' })
  const list = await execute(o.listWebhooks, { actor: admin, now: now() }, {})
  expect(list.items[0]).toMatchObject({ state: 'paused', pausedReason: 'person' })
  expect((await deliverMails()).map(({ to }) => to).sort()).toEqual([admin.email, second.email].sort())
})
