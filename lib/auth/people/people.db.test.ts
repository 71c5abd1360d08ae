import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { openInvitations } from '@/db/queries/invitations'
import { membersOf, putMember } from '@/db/queries/members'
import { endSession } from '@/lib/operations/account/sessions'
import { execute } from '@/lib/operations/execute'
import { changeRole } from '@/lib/operations/team/change-role'
import { inviteMember, withdrawInvitation } from '@/lib/operations/team/invitations'
import { removeMember } from '@/lib/operations/team/remove-member'
import { codeOf } from '@/lib/testing/authenticator'
import {
  personActor as actor,
  Browser,
  enter,
  invitationOf,
  join,
  makePerson,
  openPeopleDatabase,
  PASSWORD,
  sessionsOf,
  tokenOf,
} from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import { accountOf, serviceOperator } from '../actor'
import { beginTwoFactor, changePassword, confirmTwoFactor, endTwoFactor } from './account'
import { setPassword } from './reset'
import { signedIn, signIn, signInWithCode, signOut } from './sign-in'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const signedInAs = async (email: string) => (await enter({ email })).browser
const now = new Date()

test('a password signs in, whatever the case of the address; the cookie identifies the session, which ends on signing out', async () => {
  const { email, id } = await makePerson()
  const browser = await signedInAs(email.toUpperCase())
  expect(await signedIn(browser.visitor)).toMatchObject({ id, email, name: 'Ana Ruiz', twoFactor: false })
  const [session] = await sessionsOf(accountOf({ id, email, name: '' }, browser.address))
  expect(session).toMatchObject({ address: browser.address, userAgent: 'Test/1.0' })
  const kept = browser.visitor
  browser.keep(await signOut(browser.visitor))
  expect(await signedIn(kept)).toBeUndefined()
})

test('a forged, truncated or foreign cookie signs nobody in', async () => {
  const { email } = await makePerson()
  const { visitor: all } = await signedInAs(email)
  const visitor = { ...all, cookie: all.cookie.split('; ').find((pair) => pair.includes('session_token')) ?? '' }
  expect(await signedIn(visitor)).toMatchObject({ email })
  for (const cookie of ['', 'plumbline.session_token=x', visitor.cookie.slice(0, -3), `${visitor.cookie}x`])
    expect(await signedIn({ ...visitor, cookie })).toBeUndefined()
})

test('a wrong password and an unknown account get the same error, and are written down', async () => {
  const { email } = await makePerson()
  const attempt = (name: string, password: string) =>
    signIn(new Browser().visitor, { email: name, password }).then(
      () => 'signed in',
      (error: Error) => error.message,
    )
  const wrong = await attempt(email, 'not the password at all')
  expect(wrong).toContain('Incorrect email or password')
  expect(await attempt(`no.${email}`, PASSWORD)).toBe(wrong)
  const written = await rows(db.orm, sql`select event, detail from audit_events where subject = ${email}`)
  expect(written).toEqual([{ event: 'sign_in_refused', detail: { factor: 'password' } }])
})

test('two-factor: set up with the password, turned on with a code; then a password alone does not sign in; backup codes work once', async () => {
  const { tenant, person } = await withAdmin()
  const by = actor(person, tenant.contractor.id, 'admin')
  const browser = await signedInAs(person.email)
  await expect(beginTwoFactor(browser.visitor, by, 'wrong')).rejects.toThrow('not right')
  const { uri, backupCodes } = await beginTwoFactor(browser.visitor, by, PASSWORD)
  await expect(confirmTwoFactor(browser.visitor, by, '000000')).rejects.toThrow('not right')
  browser.keep(await confirmTwoFactor(browser.visitor, by, codeOf(uri)))
  expect(await signedIn(browser.visitor)).toMatchObject({ twoFactor: true })

  const other = new Browser()
  expect(other.keep(await signIn(other.visitor, { email: person.email, password: PASSWORD })).next).toBe('code')
  expect(await signedIn(other.visitor)).toBeUndefined()
  await expect(signInWithCode(other.visitor, { code: '123456', kind: 'app' })).rejects.toThrow('not right')
  // The code that turned it on is used up; the next one already works.
  other.keep(await signInWithCode(other.visitor, { code: codeOf(uri, Date.now() + 30_000), kind: 'app' }))
  expect(await signedIn(other.visitor)).toMatchObject({ email: person.email })

  const [backup = ''] = backupCodes
  for (const [attempt, works] of [
    [1, true],
    [2, false],
  ] as const) {
    const third = new Browser()
    third.keep(await signIn(third.visitor, { email: person.email, password: PASSWORD }))
    const second = signInWithCode(third.visitor, { code: backup, kind: 'backup' })
    if (works) expect(third.keep(await second).setCookies.length, `attempt ${attempt}`).toBeGreaterThan(0)
    else await expect(second).rejects.toThrow('backup code')
  }
  browser.keep(await endTwoFactor(browser.visitor, by, PASSWORD))
  expect(other.keep(await signIn(other.visitor, { email: person.email, password: PASSWORD })).next).toBe('done')
  const stored = JSON.stringify(await rows(db.orm, sql`select * from person_two_factors`))
  expect(stored).not.toContain(new URL(uri).searchParams.get('secret'))
  expect(stored).not.toContain(backup)
})

test('a new password ends the other sessions; people can end single sessions of their own, not those of others', async () => {
  const { tenant, person } = await withAdmin()
  const by = actor(person, tenant.contractor.id, 'admin')
  const [here, there, third] = await Promise.all([1, 2, 3].map(() => signedInAs(person.email)))
  if (!here || !there || !third) throw new Error('three browsers')
  const sessions = await sessionsOf(by)
  const ofThere = await signedIn(there.visitor)
  const end = (id: string | undefined, as = by) => execute(endSession, { actor: as, now }, { id: id ?? 'none' })
  await end(ofThere?.session.id)
  expect(await signedIn(there.visitor)).toBeUndefined()
  const stranger = actor(await makePerson(), tenant.contractor.id, 'admin')
  await expect(end(sessions[0]?.id, stranger)).rejects.toThrow('over already')
  const change = { current: PASSWORD, next: 'another long password' }
  await expect(changePassword(here.visitor, by, { ...change, current: 'wrong' })).rejects.toThrow('not right')
  await expect(changePassword(here.visitor, by, { ...change, next: 'short' })).rejects.toThrow('at least 12')
  here.keep(await changePassword(here.visitor, by, change))
  expect(await signedIn(third.visitor)).toBeUndefined()
  expect(await signedIn(here.visitor)).toBeDefined()
  await setPassword(serviceOperator(), person.email, PASSWORD)
  expect(await signedIn(here.visitor)).toBeUndefined()
})

async function withAdmin() {
  const tenant = await makeTenant(db)
  const person = await makePerson()
  await putMember(db.orm, { contractorId: tenant.contractor.id, personId: person.id, role: 'admin' })
  return { tenant, person }
}

test('an invitation adds one member, once, for its own address, with a new or existing account', async () => {
  const { tenant, person } = await withAdmin()
  const { id: contractorId } = tenant.contractor
  const by = actor(person, contractorId, 'admin')
  const invite = async (email: string, role: 'viewer' | 'developer' | 'admin') =>
    tokenOf((await execute(inviteMember, { actor: by, now }, { email, role })).link)
  const newcomer = `new.${person.email}`
  const token = await invite(newcomer.toUpperCase(), 'viewer')
  expect(await invitationOf(token)).toMatchObject({ email: newcomer, role: 'viewer', acceptance: 'new account' })
  const other = await makePerson()
  await expect(join(token, { person: { ...other, name: 'Other' } })).rejects.toThrow(`is for ${newcomer}`)
  await join(token, { name: 'New Person', password: PASSWORD })
  await expect(join(token, { name: 'Again', password: PASSWORD })).rejects.toThrow('used')
  expect((await membersOf(db.orm, contractorId)).map(({ email, role }) => [email, role])).toEqual([
    [person.email, 'admin'],
    [newcomer, 'viewer'],
  ])
  await expect(invite(newcomer, 'admin')).rejects.toThrow('on the team already')

  const withdrawn = await invite(other.email, 'developer')
  const [open] = await openInvitations(db.orm, contractorId)
  await execute(withdrawInvitation, { actor: by, now }, { id: open?.id ?? '' })
  expect(await invitationOf(withdrawn)).toBeUndefined()
  const again = await invite(other.email, 'developer')
  await join(again, { person: { ...other, name: 'Other' } })
  const events = await listAudit(db.orm, { contractorId, limit: 10 })
  expect(events.map(({ event }) => event)).toEqual([
    'joined',
    'invited',
    'invitation_withdrawn',
    'invited',
    'joined',
    'invited',
  ])
  expect(JSON.stringify(events)).not.toContain(again)
})

test('an administrator changes only their own contractor’s team, and cannot remove its last administrator', async () => {
  const { tenant, person } = await withAdmin()
  const { tenant: foreign, person: stranger } = await withAdmin()
  const { id: contractorId } = tenant.contractor
  const by = actor(person, contractorId, 'admin')
  const change = (personId: string, as = by) => execute(changeRole, { actor: as, now }, { personId, role: 'viewer' })
  const remove = (personId: string) => execute(removeMember, { actor: by, now }, { personId })
  await expect(change(person.id)).rejects.toThrow('last administrator')
  await expect(remove(person.id)).rejects.toThrow('last administrator')
  await expect(remove(stranger.id)).rejects.toThrow('not on the team')
  await execute(inviteMember, { actor: by, now }, { email: 'y@example.com', role: 'viewer' })
  const [open] = await openInvitations(db.orm, contractorId)
  const outsider = actor(stranger, foreign.contractor.id, 'admin')
  const withdrawal = execute(withdrawInvitation, { actor: outsider, now }, { id: open?.id ?? '' })
  await expect(withdrawal).rejects.toMatchObject({ status: 404 })

  const second = await makePerson()
  await putMember(db.orm, { contractorId, personId: second.id, role: 'admin' })
  const both = await Promise.allSettled([change(second.id), change(person.id, actor(second, contractorId, 'admin'))])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
