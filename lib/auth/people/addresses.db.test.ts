import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { membershipsOf } from '@/db/queries/members'
import { runCommand } from '@/lib/cli/run'
import { env } from '@/lib/core/env'
import type { Role } from '@/lib/core/roles'
import { Authenticator, codeOf } from '@/lib/testing/authenticator'
import {
  Browser,
  enter,
  invitationOf,
  join,
  makeMember,
  newAddress,
  openPeopleDatabase,
  PASSWORD,
  personActor,
  tokenOf,
} from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import type { PersonActor } from '../actor'
import { beginTwoFactor, confirmTwoFactor } from './account'
import { invite } from './invitations'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from './passkeys'
import { signedIn, signIn } from './sign-in'
import { passkeySite } from './sign-in-settings'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** Creates a contractor with an administrator. */
async function team() {
  const { contractor } = await makeTenant(db)
  return { contractor, admin: await makeMember(db, contractor.id) }
}

const inviteBy = async (by: PersonActor, email: string, role: Role = 'viewer') =>
  tokenOf((await invite(by, { email, role })).link)

/** Runs an operator's command and returns its output. */
async function operator(...argv: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const io = { out: (text: string) => out.push(text), err: (text: string) => err.push(text), cwd: '.' }
  return { code: await runCommand(argv, io), out: out.join(''), err: err.join('') }
}

const createAdmin = (contractor: { slug: string }, email: string, ...more: string[]) =>
  operator('admin', 'create', '--contractor', contractor.slug, '--email', email, ...more)

const contractorsOf = async (personId: string) => (await membershipsOf(db.orm, personId, null)).map(({ slug }) => slug)

/**
 * A contractor's administrator opens the link for someone else's address, adds a passkey and a second factor, and stays signed in.
 */
async function squatted() {
  const { contractor, admin } = await team()
  const email = newAddress()
  const token = await inviteBy(admin, email)
  await join(token, { name: 'Squatter', password: PASSWORD }, '10.0.0.66')
  const { browser } = await enter({ email })
  const who = await signedIn(browser.visitor)
  if (!who) throw new Error('the squatter is signed in')
  const by = personActor({ id: who.id, email }, contractor.id, 'viewer')
  const device = new Authenticator(passkeySite(env()))
  const begun = browser.keep(await beginPasskey(browser.visitor, by, { password: PASSWORD }))
  await addPasskey(browser.visitor, by, { name: 'Planted', answer: device.make(begun.options) })
  const { uri } = await beginTwoFactor(browser.visitor, by, PASSWORD)
  browser.keep(await confirmTwoFactor(browser.visitor, by, codeOf(uri)))
  return { contractor, admin, email, id: who.id, browser, device }
}

async function withPasskey(device: Authenticator) {
  const browser = new Browser()
  const { options } = browser.keep(await beginPasskeySignIn(browser.visitor))
  return await signInWithPasskey(browser.visitor, device.use(options))
}

const isConfirmed = async (email: string) =>
  (await rows<{ email_verified: boolean }>(db.orm, sql`select email_verified from people where email = ${email}`))[0]
    ?.email_verified

test('an account set up with an administrator’s link does not gain a contractor when the operator names its address: when the owner opens the operator’s link, all earlier access ends', async () => {
  const { contractor, email, id, browser, device } = await squatted()
  const { contractor: other } = await team()
  const { code, out, err } = await createAdmin(other, email)
  expect(code).toBe(0)
  expect(err).toContain(`${email} has an account`)
  expect(await contractorsOf(id)).toEqual([contractor.slug])
  expect(await isConfirmed(email)).toBe(false)

  const token = tokenOf(out)
  expect(await invitationOf(token)).toMatchObject({ email, role: 'admin', acceptance: 'new password' })
  const squatter = { person: { id, name: 'Squatter', email } }
  await expect(join(token, squatter, '10.0.0.66')).rejects.toThrow('choose a new password')
  await expect(join(token, { name: 'Owner', password: 'short' }, '10.0.0.7')).rejects.toThrow('too short')
  await join(token, { name: 'Owner', password: 'the owner’s own password' }, '10.0.0.7')
  expect((await contractorsOf(id)).sort()).toEqual([contractor.slug, other.slug].sort())
  expect(await isConfirmed(email)).toBe(true)
  await expect(join(token, { name: 'Owner', password: PASSWORD }, '10.0.0.7')).rejects.toThrow('was used')

  expect(await signedIn(browser.visitor)).toBeUndefined()
  await expect(signIn(new Browser().visitor, { email, password: PASSWORD })).rejects.toThrow(
    'Incorrect email or password',
  )
  await expect(withPasskey(device)).rejects.toThrow('not known here')
  const owner = new Browser()
  const { next } = owner.keep(await signIn(owner.visitor, { email, password: 'the owner’s own password' }))
  expect(next).toBe('done')
  expect(await signedIn(owner.visitor)).toMatchObject({ name: 'Owner' })
})

test('another contractor’s administrator cannot add an unconfirmed account, neither for its creator nor for its owner', async () => {
  const { contractor, admin, email, id } = await squatted()
  const { admin: stranger } = await team()
  const token = await inviteBy(stranger, email, 'admin')
  expect(await invitationOf(token)).toMatchObject({ acceptance: 'unconfirmed' })
  const as = (who: Parameters<typeof join>[1]) => join(token, who, '10.0.0.66')
  await expect(as({ person: { id, name: 'Squatter', email } })).rejects.toMatchObject({ status: 403 })
  await expect(as({ name: 'New', password: 'a password of the stranger' })).rejects.toMatchObject({ status: 403 })
  expect(await contractorsOf(id)).toEqual([contractor.slug])
  // The contractor it was set up for may invite it again.
  expect(await invitationOf(await inviteBy(admin, `x${email}`))).toMatchObject({ acceptance: 'new account' })
  await rows(db.orm, sql`delete from members where person_id = ${id}`)
  expect(await invitationOf(await inviteBy(admin, email))).toMatchObject({ acceptance: 'sign in' })
})

test('a confirmed account joins a contractor only when its owner accepts, whoever invites, and keeps its password', async () => {
  const { admin, contractor } = await team()
  const { contractor: second, admin: inviting } = await team()
  const { contractor: third } = await team()
  const { out } = await createAdmin(third, admin.email.toUpperCase(), '--role', 'viewer', '--json')
  const made = JSON.parse(out)
  expect(made).toMatchObject({ email: admin.email, role: 'viewer', contractor: third.slug })
  expect(made).not.toHaveProperty('password')
  expect(await contractorsOf(admin.personId)).toEqual([contractor.slug])
  for (const token of [tokenOf(made.invitation), await inviteBy(inviting, admin.email)]) {
    expect(await invitationOf(token)).toMatchObject({ acceptance: 'sign in' })
    await expect(join(token, { name: 'Stranger', password: 'a new one, of a stranger' }, '10.0.0.9')).rejects.toThrow(
      'Sign in',
    )
    const person = { id: admin.personId, name: admin.name, email: admin.email }
    await join(token, { person }, '10.0.0.8')
  }
  expect((await contractorsOf(admin.personId)).sort()).toEqual([contractor, second, third].map((c) => c.slug).sort())
  expect((await signIn(new Browser().visitor, { email: admin.email, password: PASSWORD })).next).toBe('done')
})

test('`admin create --reset` ends every way to sign in; then only the link opens the account', async () => {
  const { email, id, browser, device } = await squatted()
  const { contractor: other } = await team()
  const { out, err } = await createAdmin(other, email, '--reset')
  expect(err).toContain('1 session, 1 passkey, 1 second factor')
  expect(await signedIn(browser.visitor)).toBeUndefined()
  await expect(signIn(new Browser().visitor, { email, password: PASSWORD })).rejects.toThrow(
    'Incorrect email or password',
  )
  await expect(withPasskey(device)).rejects.toThrow('not known here')
  await join(tokenOf(out), { name: 'Owner', password: 'the owner’s own password' }, '10.0.0.7')
  expect(await contractorsOf(id)).toContain(other.slug)
  const detail = { sessions: 1, passkeys: 1, secondFactor: true, explorerKeys: 0, connections: 0, invitations: 0 }
  const written = await rows(db.orm, sql`select actor_kind, detail from audit_events where event = 'account_reset'`)
  expect(written).toContainEqual({ actor_kind: 'operator', detail })
})

test('a new account is confirmed when the operator created it or its link, but not by an administrator’s link', async () => {
  const { contractor, admin } = await team()
  const [made, invited] = [newAddress(), newAddress()]
  const { out } = await createAdmin(contractor, made)
  expect((await signIn(new Browser().visitor, { email: made, password: out.trim() })).next).toBe('done')
  expect(await isConfirmed(made)).toBe(true)
  await join(await inviteBy(admin, invited), { name: 'New', password: PASSWORD }, '10.0.0.5')
  expect(await isConfirmed(invited)).toBe(false)
})
