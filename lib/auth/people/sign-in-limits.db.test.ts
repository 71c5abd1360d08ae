import { createHook } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { Authenticator } from '@/lib/testing/authenticator'
import { Browser, enter, makePerson, openPeopleDatabase, PASSWORD } from '@/lib/testing/people'
import { accountOf } from '../actor'
import { changePassword } from './account'
import { countPassword } from './attempts'
import { trustedDevice } from './device'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from './passkeys'
import { signedIn, signIn } from './sign-in'
import { passkeySite } from './sign-in-settings'
import type { Visitor } from './visitor'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** A person with a passkey who has signed in with their browser. */
async function someone() {
  const person = await makePerson('Eve Moss')
  const { email } = person
  const { browser } = await enter(person)
  const by = accountOf(person, browser.address)
  const device = new Authenticator(passkeySite(env()))
  const begun = browser.keep(await beginPasskey(browser.visitor, by, { password: PASSWORD }))
  await addPasskey(browser.visitor, by, { name: 'Phone', answer: device.make(begun.options) })
  return { email, by, browser, device }
}

const stranger = (address: string) => ({ address, userAgent: 'Test/1.0', cookie: '' })
const right = (email: string) => ({ email, password: PASSWORD })

/** The result of an attempt: `in`, or the status of its refusal. */
async function outcome(attempt: Promise<unknown>): Promise<'in' | number> {
  try {
    await attempt
    return 'in'
  } catch (error) {
    if (error instanceof ServiceError) return error.status
    throw error
  }
}

/** Counts attempts one after another and returns, for each, whether its password would be checked or the attempt refused. */
async function attempts(times: number, of: (turn: number) => [Visitor, email: string]) {
  const outcomes: (number | 'seen')[] = []
  for (let turn = 0; turn < times; turn++) {
    const counted = await outcome(countPassword(...of(turn)))
    outcomes.push(counted === 'in' ? 'seen' : counted)
  }
  return outcomes
}

const guess = (email: string, times: number, from: (turn: number) => string) =>
  attempts(times, (turn) => [stranger(from(turn)), email])

const refusals = (seen: number, unseen: number) => [...Array(seen).fill('seen'), ...Array(unseen).fill(429)]

test('an address has ten attempts a minute, whatever accounts it tries; IPv6 counts by its /64', async () => {
  const { email } = await someone()
  for (const from of [() => '198.51.100.1', (turn: number) => `2001:db8:7:7::${turn + 1}`]) {
    const each = await attempts(11, (turn) => [stranger(from(turn)), `${turn}.${email}`])
    expect(each).toEqual(refusals(10, 1))
  }
  const again = signIn(stranger('2001:db8:7:7:ffff::1'), right(email))
  await expect(again).rejects.toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  expect(await outcome(signIn(stranger('2001:db8:7:8::1'), right(email)))).toBe('in')
})

test('guesses from a few addresses share ten attempts a minute; the right password from another address gets in', async () => {
  const { email } = await someone()
  const from = (turn: number) => `198.51.101.${turn % 2}`
  // Each address's first attempt is counted separately.
  expect(await guess(email, 14, from)).toEqual(refusals(12, 2))
  expect(await outcome(signIn(stranger('198.51.101.9'), right(email)))).toBe('in')
})

test('guesses from many addresses are limited to forty a minute; the owner’s known browser, passkey and session keep working', async () => {
  const { email, by, browser, device } = await someone()
  // `someone` signed in once as a newcomer.
  expect(await guess(email, 30, (turn) => `198.51.102.${turn}`)).toEqual(refusals(29, 1))
  expect(await guess(email, 11, (turn) => `198.51.102.${turn}`)).toEqual(refusals(10, 1))
  expect(await outcome(signIn(stranger('198.51.102.99'), right(email)))).toBe(429)

  expect(await outcome(signIn(browser.visitor, right(email)))).toBe('in')
  const change = { current: PASSWORD, next: 'another long password' }
  browser.keep(await changePassword(browser.visitor, by, change))
  const fresh = new Browser()
  const { options } = fresh.keep(await beginPasskeySignIn(fresh.visitor))
  fresh.keep(await signInWithPasskey(fresh.visitor, device.use(options)))
  expect(await signedIn(fresh.visitor)).toMatchObject({ email })
  // From here on the passkey's browser is known too.
  expect(await outcome(signIn(fresh.visitor, { email, password: change.next }))).toBe('in')
})

test('a known browser has its own ten attempts, whatever its address uses; a forged, altered or other account’s cookie counts as unknown', async () => {
  const { email, browser } = await someone()
  const { email: other } = await someone()
  const left = browser.keep(await signIn(browser.visitor, right(email)))
  const cookie = left.setCookies.find((line) => line.includes('.device-')) ?? ''
  expect(cookie).toMatch(/^plumbline\.device-[\w-]{16}=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(cookie).not.toContain(email)
  const [pair = ''] = cookie.split(';')
  expect(trustedDevice({ ...stranger('x'), cookie: pair }, email.toUpperCase())).toBeDefined()
  for (const forged of [`${pair}x`, pair.replace('=', '=x'), pair.replace('device-', 'device-x'), pair.slice(0, -1)])
    expect(trustedDevice({ ...stranger('x'), cookie: forged }, email)).toBeUndefined()
  expect(trustedDevice({ ...stranger('x'), cookie: pair }, other)).toBeUndefined()

  // The first sign-in of `someone` came from this address too.
  expect(await guess(`none.${email}`, 11, () => browser.address)).toEqual(refusals(9, 2))
  // Signing in above used one of this browser's attempts.
  const mistyped = signIn(browser.visitor, { email, password: 'mistyped' })
  await expect(mistyped).rejects.toThrow('Incorrect email or password')
  expect(await attempts(9, () => [browser.visitor, email])).toEqual(refusals(8, 1))
  expect(await outcome(signIn(stranger('198.51.103.2'), right(email)))).toBe('in')
})

test('a browser keeps its id across sign-ins, and remembers at most four people', async () => {
  const shared = new Browser()
  const emails: string[] = []
  for (let n = 0; n < 5; n++) {
    const { email } = await someone()
    emails.push(email)
    shared.keep(await signIn(shared.visitor, right(email)))
  }
  const known = () => emails.map((email) => trustedDevice(shared.visitor, email))
  const before = known()
  expect(before.filter(Boolean)).toHaveLength(4)
  expect(before.at(-1)).toBeDefined()
  shared.keep(await signIn(shared.visitor, right(emails.at(-1) ?? '')))
  expect(known()).toEqual(before)
})

test('forty wrong passwords at once: two are hashed at a time, most get 429 and are not in the audit log, and a known browser still signs in', async () => {
  const { email, browser } = await someone()
  let running = 0
  let most = 0
  const jobs = new Set<number>()
  const hook = createHook({
    init: (id, type) => {
      if (type !== 'SCRYPTREQUEST') return
      jobs.add(id)
      most = Math.max(most, ++running)
    },
    before: (id) => {
      if (jobs.delete(id)) running--
    },
  }).enable()
  const refused: ServiceError[] = []
  const flood = Array.from({ length: 40 }, (_, n) =>
    signIn(stranger(`198.51.104.${n}`), { email: `${n}.${email}`, password: 'wrong' }).catch((error) => {
      if (error instanceof ServiceError && error.status === 429) refused.push(error)
    }),
  )
  const known = outcome(signIn(browser.visitor, right(email)))
  await Promise.all(flood)
  expect(await known).toBe('in')
  hook.disable()
  expect(most).toBe(2)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers } of refused) expect(headers).toEqual({ 'retry-after': '2' })
  const [{ n } = { n: -1 }] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from audit_events where event = 'sign_in_refused' and subject like ${`%.${email}`}`,
  )
  expect(n).toBe(40 - refused.length)
})
