import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { openInvitations } from '@/db/queries/invitations'
import { membersOf, putMember } from '@/db/queries/members'
import { runCommand } from '@/lib/cli/run'
import { env } from '@/lib/core/env'
import { Authenticator, codeOf } from '@/lib/testing/authenticator'
import {
  Browser,
  enter,
  invitationOf,
  join,
  makeMember,
  makePerson,
  newAddress,
  openPeopleDatabase,
  PASSWORD,
  sessionsOf,
  tokenOf,
} from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import { operatorFor, type PersonActor } from '../actor'
import { authenticate } from '../authenticate'
import { beginTwoFactor, confirmTwoFactor } from './account'
import { issueExplorerKey } from './explorer-key'
import { invite } from './invitations'
import { changeMember } from './members'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from './passkeys'
import { signedIn, signIn, signInWithCode } from './sign-in'
import { passkeySite } from './sign-in-settings'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** Creates a contractor with two administrators. */
async function team() {
  const { id } = (await makeTenant(db)).contractor
  return { id, first: await makeMember(db, id), second: await makeMember(db, id) }
}

const accept = (token: string) => join(token, { name: 'New', password: PASSWORD })

/** Turns two-factor sign-in on in a signed-in browser. */
async function withTwoFactor(by: PersonActor, browser: Browser) {
  const { uri } = await beginTwoFactor(browser.visitor, by, PASSWORD)
  const code = codeOf(uri)
  browser.keep(await confirmTwoFactor(browser.visitor, by, code))
  return { uri, code }
}

async function passkeyOf(by: PersonActor, browser: Browser) {
  const device = new Authenticator(passkeySite(env()))
  const begun = browser.keep(await beginPasskey(browser.visitor, by, { password: PASSWORD }))
  await addPasskey(browser.visitor, by, { name: 'Phone', answer: device.make(begun.options) })
  return device
}

test.each([null, 'developer'] as const)(
  'an invitation ends when its inviter becomes %s; other people’s stay, and the ended one stays ended when they are back',
  async (after) => {
    const { id, first, second } = await team()
    const [ended, kept] = [newAddress(), newAddress()]
    const token = tokenOf((await invite(first, { email: ended, role: 'admin' })).link)
    const other = tokenOf((await invite(second, { email: kept, role: 'viewer' })).link)
    await changeMember(second, first.personId, after)
    expect(await invitationOf(token)).toBeUndefined()
    expect((await openInvitations(db.orm, id)).map(({ email }) => email)).toEqual([kept])
    await expect(accept(token)).rejects.toMatchObject({ status: 404 })
    await putMember(db.orm, { contractorId: id, personId: first.personId, role: 'admin' })
    await expect(accept(token)).rejects.toMatchObject({ status: 404 })
    await accept(other)
    expect((await membersOf(db.orm, id)).map(({ email }) => email)).not.toContain(ended)
  },
)

test('a person who joins while the inviter is being removed joins before that, or not at all', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, first, second } = await team()
    const person = await makePerson('New')
    const token = tokenOf((await invite(first, { email: person.email, role: 'admin' })).link)
    const [joined, removed] = await Promise.allSettled([
      join(token, { person }),
      changeMember(second, first.personId, null),
    ])
    expect(removed.status).toBe('fulfilled')
    const isMember = (await membersOf(db.orm, id)).some((each) => each.personId === person.id)
    expect(isMember).toBe(joined.status === 'fulfilled')
    expect(await openInvitations(db.orm, id)).toEqual([])
  }
})

test('joining checks the inviter’s role again, however they lost it', async () => {
  const { id, first } = await team()
  const token = tokenOf((await invite(first, { email: newAddress(), role: 'viewer' })).link)
  await putMember(db.orm, { contractorId: id, personId: first.personId, role: 'viewer' })
  await expect(accept(token)).rejects.toMatchObject({ status: 404 })
  expect(await openInvitations(db.orm, id)).toEqual([])
})

test('a newer invitation to an address ends older ones by anyone; those to others and from other contractors stay', async () => {
  const { id, first, second } = await team()
  const { first: elsewhere } = await team()
  const email = newAddress()
  const older = [
    tokenOf((await invite(first, { email, role: 'admin' })).link),
    tokenOf((await invite(operatorFor(id), { email, role: 'admin' })).link),
  ]
  const foreign = tokenOf((await invite(elsewhere, { email, role: 'viewer' })).link)
  const beside = tokenOf((await invite(first, { email: newAddress(), role: 'viewer' })).link)
  const newest = tokenOf((await invite(second, { email, role: 'viewer' })).link)
  for (const token of older) expect(await invitationOf(token)).toBeUndefined()
  for (const token of [foreign, beside, newest]) expect(await invitationOf(token)).toBeDefined()
  await accept(newest)
  expect((await membersOf(db.orm, id)).find((each) => each.email === email)).toMatchObject({ role: 'viewer' })
})

test('an invitation does not take the last administrator’s role', async () => {
  const { id, first, second } = await team()
  await changeMember(first, second.personId, null)
  const token = tokenOf((await invite(operatorFor(id), { email: first.email, role: 'viewer' })).link)
  const person = { id: first.personId, name: first.name, email: first.email }
  await expect(join(token, { person })).rejects.toThrow('last administrator')
})

test('`admin password` ends sessions, passkeys, the second factor, explorer keys and open invitations, and reports how many', async () => {
  const { id, first } = await team()
  const { browser } = await enter(first)
  const device = await passkeyOf(first, browser)
  await withTwoFactor(first, browser)
  const { text } = await issueExplorerKey(first)
  const token = tokenOf((await invite(first, { email: newAddress(), role: 'admin' })).link)
  const [out, err]: [string[], string[]] = [[], []]
  const io = { out: (text: string) => out.push(text), err: (text: string) => err.push(text), cwd: '.' }
  expect(await runCommand(['admin', 'password', first.email], io)).toBe(0)
  expect(err.join('')).toContain(
    'Ended: the old password, 1 session, 1 passkey, 1 second factor, 1 explorer key, 1 open invitation.',
  )
  expect(await signedIn(browser.visitor)).toBeUndefined()
  const fresh = new Browser()
  const { options } = fresh.keep(await beginPasskeySignIn(fresh.visitor))
  await expect(signInWithPasskey(fresh.visitor, device.use(options))).rejects.toThrow('not known here')
  await expect(signIn(fresh.visitor, { email: first.email, password: PASSWORD })).rejects.toThrow(
    'Incorrect email or password',
  )
  await expect(authenticate(new Headers({ 'x-api-key': text }))).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await invitationOf(token)).toBeUndefined()
  expect((await signIn(fresh.visitor, { email: first.email, password: out.join('').trim() })).next).toBe('done')
  expect((await membersOf(db.orm, id)).length).toBe(2)
})

test('turning on the second factor ends other sessions and keeps the current one', async () => {
  const { first } = await team()
  const { browser: here } = await enter(first)
  const { browser: there } = await enter(first)
  const half = await enter(first)
  await withTwoFactor(first, here)
  expect(await signedIn(there.visitor)).toBeUndefined()
  expect(await signedIn(half.browser.visitor)).toBeUndefined()
  expect(await signedIn(here.visitor)).toMatchObject({ twoFactor: true })
  expect(await sessionsOf(first)).toHaveLength(1)
})

test('an authenticator code works once: not again after turning the factor on, and not twice at once or later', async () => {
  const { first } = await team()
  const { browser } = await enter(first)
  const { uri, code } = await withTwoFactor(first, browser)
  const begin = async () => {
    const { browser: half, next } = await enter(first)
    expect(next).toBe('code')
    return half
  }
  const used = await begin()
  await expect(signInWithCode(used.visitor, { code, kind: 'app' })).rejects.toThrow('used already')
  expect(await signedIn(used.visitor)).toBeUndefined()
  expect(await sessionsOf(first)).toHaveLength(1)

  const next = codeOf(uri, Date.now() + 30_000)
  const spaced = `${next.slice(0, 3)} ${next.slice(3)}`
  const two = [await begin(), await begin()]
  const tried = await Promise.allSettled(
    two.map(async (half, n) =>
      half.keep(await signInWithCode(half.visitor, { code: n === 0 ? next : spaced, kind: 'app' })),
    ),
  )
  expect(tried.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await sessionsOf(first)).toHaveLength(2)
  await expect(signInWithCode((await begin()).visitor, { code: next, kind: 'app' })).rejects.toThrow('used already')
})
