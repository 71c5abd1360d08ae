import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { isRecentProof } from '@/lib/auth/require'
import { env } from '@/lib/core/env'
import { Authenticator, codeOf } from '@/lib/testing/authenticator'
import { Browser, enter, makePerson, openPeopleDatabase, PASSWORD } from '@/lib/testing/people'
import { accountOf } from '../actor'
import { beginTwoFactor, changePassword, confirmTwoFactor, endTwoFactor } from './account'
import { beginPasskeyConfirmation, confirmWithPasskey, confirmWithPassword, waysToConfirm } from './confirm'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from './passkeys'
import { signedIn, signInWithCode } from './sign-in'
import { passkeySite } from './sign-in-settings'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

async function whoIs(browser: Browser) {
  const who = await signedIn(browser.visitor)
  if (!who) throw new Error('somebody is signed in')
  return who
}

/** Returns somebody who signed in an hour ago. */
async function someone() {
  const person = await makePerson('Kim Lee')
  const { browser } = await enter(person)
  await anHourPasses(browser)
  return { browser, by: accountOf(person, browser.address), person }
}

async function anHourPasses(browser: Browser): Promise<void> {
  const { session } = await whoIs(browser)
  await db.orm.execute(
    sql`update person_sessions set proven_at = proven_at - interval '1 hour' where id = ${session.id}`,
  )
}

const isRecent = async (browser: Browser) => isRecentProof((await whoIs(browser)).session.provenAt, new Date())
const howOf = async (browser: Browser) => {
  const { session } = await whoIs(browser)
  const [row] = await rows<{ by: string }>(
    db.orm,
    sql`select proven_by as by from person_sessions where id = ${session.id}`,
  )
  return row?.by
}
const sessions = async (personId: string) =>
  (await rows(db.orm, sql`select 1 as n from person_sessions where person_id = ${personId}`)).length

async function withPasskey() {
  const owner = await someone()
  const device = new Authenticator(passkeySite(env()))
  const { options } = owner.browser.keep(await beginPasskey(owner.browser.visitor, owner.by, { password: PASSWORD }))
  await addPasskey(owner.browser.visitor, owner.by, { name: 'Phone', answer: device.make(options, { synced: true }) })
  return { ...owner, device }
}

test('a sign-in is a proof, by what it was made with, for ten minutes', async () => {
  const { browser } = await enter(await makePerson())
  expect([await isRecent(browser), await howOf(browser)]).toEqual([true, 'password'])
  await anHourPasses(browser)
  expect(await isRecent(browser)).toBe(false)
  const { device } = await withPasskey()
  const other = new Browser()
  const { options } = other.keep(await beginPasskeySignIn(other.visitor))
  other.keep(await signInWithPasskey(other.visitor, device.use(options, { synced: true })))
  expect([await isRecent(other), await howOf(other)]).toEqual([true, 'passkey'])
})

test('a password confirms, a wrong one does not, and both are written down', async () => {
  const { browser, person } = await someone()
  expect(await waysToConfirm(await whoIs(browser))).toEqual({ email: person.email, passkey: false })
  const confirm = async (password: string) => confirmWithPassword(browser.visitor, await whoIs(browser), password)
  await expect(confirm('another password')).rejects.toMatchObject({ code: 'bad_request' })
  expect(await isRecent(browser)).toBe(false)
  const { session } = await whoIs(browser)
  await confirm(PASSWORD)
  expect((await whoIs(browser)).session.id).toBe(session.id)
  expect([await isRecent(browser), await howOf(browser)]).toEqual([true, 'password'])
  const written = await rows(
    db.orm,
    sql`select event, detail from audit_events where actor_id = ${person.id} and event like 'identity%'
      or actor_id = ${person.id} and event like 'confirmation%' order by id`,
  )
  expect(written).toEqual([
    { event: 'confirmation_refused', detail: { factor: 'password' } },
    { event: 'identity_confirmed', detail: { factor: 'password' } },
  ])
  // Another session of the same person is confirmed by its own proof only.
  const elsewhere = (await enter(person)).browser
  await anHourPasses(elsewhere)
  expect(await isRecent(elsewhere)).toBe(false)
})

test('a passkey of the person confirms and begins no session; one of somebody else does not', async () => {
  const { browser, device, person } = await withPasskey()
  expect(await waysToConfirm(await whoIs(browser))).toMatchObject({ passkey: true })
  const stranger = await withPasskey()
  const ask = async (held: Authenticator) => {
    const { options } = browser.keep(await beginPasskeyConfirmation(browser.visitor, await whoIs(browser)))
    return held.use(options, { synced: true })
  }
  const open = [await sessions(person.id), await sessions(stranger.person.id)]
  const theirs = await ask(stranger.device)
  await expect(confirmWithPasskey(browser.visitor, await whoIs(browser), theirs)).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect(await isRecent(browser)).toBe(false)
  const answer = await ask(device)
  await confirmWithPasskey(browser.visitor, await whoIs(browser), answer)
  expect([await isRecent(browser), await howOf(browser)]).toEqual([true, 'passkey'])
  expect([await sessions(person.id), await sessions(stranger.person.id)]).toEqual(open)
  await anHourPasses(browser)
  await expect(confirmWithPasskey(browser.visitor, await whoIs(browser), answer)).rejects.toMatchObject({
    message: expect.stringContaining('sent twice'),
  })
})

test('a session that a changed password or an ended second factor begins is proven; one that a second factor begins keeps the proof there was', async () => {
  const { browser, by } = await someone()
  const { uri } = await beginTwoFactor(browser.visitor, by, PASSWORD)
  browser.keep(await confirmTwoFactor(browser.visitor, by, codeOf(uri)))
  expect(await isRecent(browser)).toBe(false)
  browser.keep(await endTwoFactor(browser.visitor, by, PASSWORD))
  expect([await isRecent(browser), await howOf(browser)]).toEqual([true, 'password'])
  await anHourPasses(browser)
  const next = 'another long password'
  browser.keep(await changePassword(browser.visitor, by, { current: PASSWORD, next }))
  expect(await isRecent(browser)).toBe(true)

  const guarded = await someone()
  const begun = await beginTwoFactor(guarded.browser.visitor, guarded.by, PASSWORD)
  guarded.browser.keep(await confirmTwoFactor(guarded.browser.visitor, guarded.by, codeOf(begun.uri)))
  const entered = await enter(guarded.person)
  expect(entered.next).toBe('code')
  const [backup = ''] = begun.backupCodes
  entered.browser.keep(await signInWithCode(entered.browser.visitor, { code: backup, kind: 'backup' }))
  expect(await howOf(entered.browser)).toBe('backup code')
})
