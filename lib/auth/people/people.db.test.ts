import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { openInvitations } from '@/db/queries/invitations'
import { membersOf, putMember } from '@/db/queries/members'
import { openTestDatabase } from '@/db/testing'
import { Browser } from '@/lib/testing/browser'
import { makeTenant } from '@/lib/testing/tenant'
import { codeOf } from '@/lib/testing/totp'
import type { PersonActor } from '../actor'
import { type Role, scopesOfRole } from '../roles'
import { beginTwoFactor, changePassword, confirmTwoFactor, endSession, endTwoFactor, listSessions } from './account'
import { createPerson } from './create-person'
import { invitationOf, invite, withdrawInvitation } from './invitations'
import { acceptInvitation } from './join'
import { changeMember } from './members'
import { setPassword } from './reset'
import { signedIn, signIn, signInWithCode, signOut } from './sign-in'

let db: Database
beforeAll(async () => {
  process.env.BETTER_AUTH_SECRET ||= 'a secret of the tests, long enough for it'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const PASSWORD = 'a long enough password'
let people = 0
async function makePerson() {
  const email = `ana${++people}.${Date.now()}@example.com`
  return { email, id: await createPerson({ email, name: 'Ana Ruiz', password: PASSWORD, confirmed: true }) }
}

async function signedInAs(email: string, password = PASSWORD) {
  const browser = new Browser()
  browser.keep(await signIn(browser.visitor, { email, password }))
  return browser
}

const actor = (person: { id: string; email: string }, contractorId: string, role: Role): PersonActor => ({
  kind: 'person',
  personId: person.id,
  name: 'Ana Ruiz',
  email: person.email,
  role,
  contractorId,
  scopes: scopesOfRole(role),
  address: '10.0.0.1',
})

test('a password signs in, whatever the case of the address; the session is known by its cookie, and over after signing out', async () => {
  const { email, id } = await makePerson()
  const browser = await signedInAs(email.toUpperCase())
  expect(await signedIn(browser.visitor)).toMatchObject({ id, email, name: 'Ana Ruiz', twoFactor: false })
  const [session] = await listSessions(browser.visitor)
  expect(session).toMatchObject({ address: browser.address, userAgent: 'Test/1.0' })
  const kept = browser.visitor
  browser.keep(await signOut(browser.visitor))
  expect(await signedIn(kept)).toBeUndefined()
})

test('a forged, cut or foreign cookie is nobody', async () => {
  const { email } = await makePerson()
  const { visitor: all } = await signedInAs(email)
  const visitor = { ...all, cookie: all.cookie.split('; ').find((pair) => pair.includes('session_token')) ?? '' }
  expect(await signedIn(visitor)).toMatchObject({ email })
  for (const cookie of ['', 'plumbline.session_token=x', visitor.cookie.slice(0, -3), `${visitor.cookie}x`])
    expect(await signedIn({ ...visitor, cookie })).toBeUndefined()
})

test('a wrong password and an unknown account are refused in the same words, and written down', async () => {
  const { email } = await makePerson()
  const attempt = (name: string, password: string) =>
    signIn(new Browser().visitor, { email: name, password }).then(
      () => 'signed in',
      (error: Error) => error.message,
    )
  const wrong = await attempt(email, 'not the password at all')
  expect(wrong).toContain('do not go together')
  expect(await attempt(`no.${email}`, PASSWORD)).toBe(wrong)
  const written = await rows(db.orm, sql`select event, detail from audit_events where subject = ${email}`)
  expect(written).toEqual([{ event: 'sign_in_refused', detail: { factor: 'password' } }])
})

test('two-factor: begun with the password, on with a code; then a password alone is half a sign-in; backup codes work once', async () => {
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
  // The code that turned it on is used up; the next one works already.
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

test('a new password ends the other sessions; one’s own can be ended singly, another’s not', async () => {
  const { tenant, person } = await withAdmin()
  const by = actor(person, tenant.contractor.id, 'admin')
  const [here, there, third] = await Promise.all([1, 2, 3].map(() => signedInAs(person.email)))
  if (!here || !there || !third) throw new Error('three browsers')
  const sessions = await listSessions(here.visitor)
  const ofThere = await signedIn(there.visitor)
  await endSession(here.visitor, by, ofThere?.session.id ?? '')
  expect(await signedIn(there.visitor)).toBeUndefined()
  const stranger = await signedInAs((await makePerson()).email)
  await expect(endSession(stranger.visitor, by, sessions[0]?.id ?? '')).rejects.toThrow('over already')
  const change = { current: PASSWORD, next: 'another long password' }
  await expect(changePassword(here.visitor, by, { ...change, current: 'wrong' })).rejects.toThrow('not right')
  await expect(changePassword(here.visitor, by, { ...change, next: 'short' })).rejects.toThrow('at least 12')
  here.keep(await changePassword(here.visitor, by, change))
  expect(await signedIn(third.visitor)).toBeUndefined()
  expect(await signedIn(here.visitor)).toBeDefined()
  await setPassword(person.email, PASSWORD)
  expect(await signedIn(here.visitor)).toBeUndefined()
})

async function withAdmin() {
  const tenant = await makeTenant(db)
  const person = await makePerson()
  await putMember(db.orm, { contractorId: tenant.contractor.id, personId: person.id, role: 'admin' })
  return { tenant, person }
}

test('an invitation makes one member, once, for its own address; a new account or one that is there', async () => {
  const { tenant, person } = await withAdmin()
  const { id: contractorId } = tenant.contractor
  const by = actor(person, contractorId, 'admin')
  const tokenOf = ({ link }: { link: string }) => link.split('/').at(-1) ?? ''
  const newcomer = `new.${person.email}`
  const token = tokenOf(await invite(by, { email: newcomer.toUpperCase(), role: 'viewer' }))
  expect(await invitationOf(token)).toMatchObject({ email: newcomer, role: 'viewer', acceptance: 'new account' })
  const other = await makePerson()
  await expect(acceptInvitation(token, { person: { ...other, name: 'Other' } }, '10.0.0.2')).rejects.toThrow(
    `is for ${newcomer}`,
  )
  await acceptInvitation(token, { name: 'New Person', password: PASSWORD }, '10.0.0.2')
  await expect(acceptInvitation(token, { name: 'Again', password: PASSWORD }, '10.0.0.2')).rejects.toThrow('used')
  expect((await membersOf(db.orm, contractorId)).map(({ email, role }) => [email, role])).toEqual([
    [person.email, 'admin'],
    [newcomer, 'viewer'],
  ])
  await expect(invite(by, { email: newcomer, role: 'admin' })).rejects.toThrow('on the team already')

  const withdrawn = tokenOf(await invite(by, { email: other.email, role: 'developer' }))
  const [open] = await openInvitations(db.orm, contractorId)
  await withdrawInvitation(by, open?.id ?? '')
  expect(await invitationOf(withdrawn)).toBeUndefined()
  const again = tokenOf(await invite(by, { email: other.email, role: 'developer' }))
  await acceptInvitation(again, { person: { ...other, name: 'Other' } }, '10.0.0.2')
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

test('only an administrator changes a team, only their own contractor’s, and never its last administrator', async () => {
  const { tenant, person } = await withAdmin()
  const { tenant: foreign, person: stranger } = await withAdmin()
  const { id: contractorId } = tenant.contractor
  const by = actor(person, contractorId, 'admin')
  await expect(changeMember(by, person.id, 'viewer')).rejects.toThrow('last administrator')
  await expect(changeMember(by, person.id, null)).rejects.toThrow('last administrator')
  await expect(changeMember(by, stranger.id, null)).rejects.toThrow('not on the team')
  const developer = actor(person, contractorId, 'developer')
  await expect(invite(developer, { email: 'x@example.com', role: 'admin' })).rejects.toMatchObject({ status: 403 })
  await expect(changeMember(developer, person.id, 'admin')).rejects.toMatchObject({ status: 403 })
  await invite(by, { email: 'y@example.com', role: 'viewer' })
  const [open] = await openInvitations(db.orm, contractorId)
  const outsider = actor(stranger, foreign.contractor.id, 'admin')
  await expect(withdrawInvitation(outsider, open?.id ?? '')).rejects.toMatchObject({ status: 404 })

  const second = await makePerson()
  await putMember(db.orm, { contractorId, personId: second.id, role: 'admin' })
  const both = await Promise.allSettled([
    changeMember(by, second.id, 'viewer'),
    changeMember(actor(second, contractorId, 'admin'), person.id, 'viewer'),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
