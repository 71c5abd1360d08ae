import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { env } from '@/lib/core/env'
import { removePasskey, renamePasskey } from '@/lib/operations/account/passkeys'
import { execute } from '@/lib/operations/execute'
import { Authenticator, codeOf } from '@/lib/testing/authenticator'
import {
  Browser,
  enter as enterWithPassword,
  makePerson,
  openPeopleDatabase,
  PASSWORD,
  passkeysOf,
  sessionsOf,
} from '@/lib/testing/people'
import { accountOf } from '../actor'
import { beginTwoFactor, confirmTwoFactor } from './account'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from './passkeys'
import { signedIn, signIn } from './sign-in'
import { passkeySite } from './sign-in-settings'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** A person signed in with a password. */
async function someone() {
  const person = await makePerson('Kim Lee')
  const { email } = person
  const { browser } = await enterWithPassword(person)
  const by = accountOf({ ...person, session: { provenAt: new Date() } }, browser.address)
  return { email, browser, by }
}

const device = () => new Authenticator(passkeySite(env()))

/** A person with a passkey on a device. */
async function withPasskey(name = 'Phone') {
  const owner = await someone()
  const held = device()
  const { options } = owner.browser.keep(await beginPasskey(owner.browser.visitor, owner.by, { password: PASSWORD }))
  await addPasskey(owner.browser.visitor, owner.by, { name, answer: held.make(options, { synced: true }) })
  const [passkey] = await passkeysOf(owner.by)
  if (!passkey) throw new Error('the passkey is kept')
  return { ...owner, held, passkey }
}

/** Signs in from a new browser with a device's response. */
async function enter(answerOf: (options: { challenge: string }) => string) {
  const browser = new Browser()
  const { options } = browser.keep(await beginPasskeySignIn(browser.visitor))
  browser.keep(await signInWithPasskey(browser.visitor, answerOf(options)))
  return browser
}

const eventsOf = (subject: string) =>
  rows(db.orm, sql`select event, detail from audit_events where subject = ${subject}`)

test('passkey options request a discoverable, user-verified passkey for the configured site', async () => {
  const { browser, by } = await someone()
  const begun = await beginPasskey(browser.visitor, by, { password: PASSWORD })
  expect(begun.options.rp.id).toBe(passkeySite(env()).id)
  expect(begun.options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  const [cookie = ''] = begun.setCookies
  expect(cookie).toMatch(/^plumbline\.passkey=.+Max-Age=300;.*HttpOnly; SameSite=Lax/)
  const entering = await beginPasskeySignIn(new Browser().visitor)
  expect(entering.options).toMatchObject({ userVerification: 'required', rpId: passkeySite(env()).id })
  expect(entering.options.allowCredentials).toBeUndefined()
})

test('a passkey signs in and is listed with its last use; creation and sign-in are written down in the audit log', async () => {
  const { email, by, held, passkey } = await withPasskey('Kim’s phone')
  expect(passkey).toMatchObject({ name: 'Kim’s phone', synced: true, lastUsedAt: null })
  const browser = await enter((options) => held.use(options, { synced: true }))
  expect(await signedIn(browser.visitor)).toMatchObject({ email })
  expect((await sessionsOf(by))[0]).toMatchObject({ address: browser.address, userAgent: 'Test/1.0' })
  expect((await passkeysOf(by))[0]?.lastUsedAt).toBeInstanceOf(Date)
  expect(await eventsOf(email)).toContainEqual({ event: 'sign_in', detail: { factor: 'passkey' } })
  expect(await eventsOf('Kim’s phone')).toEqual([{ event: 'passkey_added', detail: {} }])
})

test('a passkey counts as both factors: no code is required after it', async () => {
  const { email, browser, by, held } = await withPasskey()
  const { uri } = await beginTwoFactor(browser.visitor, by, PASSWORD)
  browser.keep(await confirmTwoFactor(browser.visitor, by, codeOf(uri)))
  expect((await signIn(new Browser().visitor, { email, password: PASSWORD })).next).toBe('code')
  const entered = await enter((options) => held.use(options))
  expect(await signedIn(entered.visitor)).toMatchObject({ email, twoFactor: true })
})

test('a device that did not verify its user can neither create a passkey nor sign in', async () => {
  const { browser, by, held } = await withPasskey()
  await expect(enter((options) => held.use(options, { verified: false }))).rejects.toThrow(
    'did not check that it is you',
  )
  const { options } = browser.keep(await beginPasskey(browser.visitor, by, { password: PASSWORD }))
  const answer = device().make(options, { verified: false })
  await expect(addPasskey(browser.visitor, by, { name: 'Tag', answer })).rejects.toThrow('did not check that it is you')
  expect(await passkeysOf(by)).toHaveLength(1)
})

test('adding a passkey requires the password and the response to its own challenge, and works once', async () => {
  const { browser, by } = await someone()
  const begin = (password: string) => beginPasskey(browser.visitor, by, { password })
  await expect(begin('wrong')).rejects.toThrow('password is not right')
  const answer = device().make({ challenge: 'bm90IHRoZSBjaGFsbGVuZ2U' })
  const add = (answer: string) => addPasskey(browser.visitor, by, { name: 'Phone', answer })
  await expect(add(answer)).rejects.toThrow('took too long')
  const { options } = browser.keep(await begin(PASSWORD))
  await expect(add(answer)).rejects.toThrow('could not be kept')
  await expect(add(device().make(options))).rejects.toThrow('sent twice')
  expect(await passkeysOf(by)).toEqual([])
})

test('a response from another site, an unknown device or a replay is refused with a reason, and written down', async () => {
  const { held } = await withPasskey()
  const id = passkeySite(env()).id
  const elsewhere = new Authenticator({ id, origin: 'https://example.com' })
  await expect(enter((options) => elsewhere.use(options))).rejects.toThrow('Passkeys work at')
  await expect(enter((options) => device().use(options))).rejects.toThrow('not known here')
  await expect(enter(() => held.use({ challenge: 'bm90IHRoZSBjaGFsbGVuZ2U' }))).rejects.toThrow('not known here')
  await expect(enter(() => 'no answer of a browser')).rejects.toThrow('could not be read')
  const browser = new Browser()
  const { options } = browser.keep(await beginPasskeySignIn(browser.visitor))
  const answer = held.use(options)
  await signInWithPasskey(browser.visitor, answer)
  await expect(signInWithPasskey(browser.visitor, answer)).rejects.toThrow('sent twice')
  expect(await eventsOf('passkey')).toContainEqual({ event: 'sign_in_refused', detail: { factor: 'passkey' } })
})

test('a creation response cannot sign in, and a sign-in challenge cannot create a passkey', async () => {
  const { browser, by, held } = await withPasskey()
  const making = browser.keep(await beginPasskey(browser.visitor, by, { password: PASSWORD }))
  await expect(signInWithPasskey(browser.visitor, held.use(making.options))).rejects.toThrow('took too long')
  const entering = browser.keep(await beginPasskeySignIn(browser.visitor))
  const answer = device().make(entering.options)
  await expect(addPasskey(browser.visitor, by, { name: 'Two', answer })).rejects.toThrow('took too long')
})

test('only its owner can rename or remove a passkey; a removed one is refused', async () => {
  const { by, held, passkey } = await withPasskey()
  const { by: stranger } = await someone()
  const now = new Date()
  const { id } = passkey
  const rename = (name: string, actor = by) => execute(renamePasskey, { actor, now }, { id, name })
  const remove = (actor = by) => execute(removePasskey, { actor, now }, { id })
  await expect(rename('Mine', stranger)).rejects.toMatchObject({ status: 404 })
  await expect(remove(stranger)).rejects.toMatchObject({ status: 404 })
  await expect(rename('  ')).rejects.toThrow('name: is required')
  const renamed = `Old phone ${by.email}`.slice(0, 60)
  await rename(renamed)
  expect((await passkeysOf(by)).map(({ name }) => name)).toEqual([renamed])
  await remove()
  expect(await passkeysOf(by)).toEqual([])
  await expect(enter((options) => held.use(options))).rejects.toThrow('not known here')
  expect(await eventsOf(renamed)).toMatchObject([{ event: 'passkey_renamed' }, { event: 'passkey_removed' }])
})

test('the eleventh attempt in a minute is refused; starting a sign-in is counted separately', async () => {
  const { held } = await withPasskey()
  const browser = new Browser()
  for (let i = 0; i < 10; i++) browser.keep(await beginPasskeySignIn(browser.visitor))
  await expect(beginPasskeySignIn(browser.visitor)).rejects.toMatchObject({ status: 429 })
  for (let i = 0; i < 10; i++)
    await expect(signInWithPasskey(browser.visitor, device().use({ challenge: 'eA' }))).rejects.toMatchObject({
      status: 400,
    })
  await expect(signInWithPasskey(browser.visitor, held.use({ challenge: 'eA' }))).rejects.toMatchObject({ status: 429 })
})
