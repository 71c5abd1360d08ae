import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { updatePerson } from '@/db/queries/people'
import { accountOf } from '@/lib/auth/actor'
import {
  Browser,
  deliverMails,
  enter,
  makePerson,
  openPeopleDatabase,
  PASSWORD,
  passkeysOf,
  useMailServer,
} from '@/lib/testing/people'
import { finishReset, requestPasswordReset, resetFor } from './reset'
import { signedIn, signIn } from './sign-in'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
  useMailServer()
})
afterAll(() => db.close())

const NEXT = 'another long enough password'
const refused = { code: 'not_found', message: expect.stringContaining('Ask for a new one') }

/** Asks for a reset from a new browser, and returns the tokens of the links that leave. */
async function ask(email: string): Promise<string[]> {
  await requestPasswordReset(new Browser().visitor, email)
  return (await deliverMails()).flatMap(({ text }) => /\/reset-password\/([\w-]+)\n/.exec(text)?.[1] ?? [])
}

const finish = (token: string, password = NEXT) => finishReset(new Browser().visitor, { token, password })

test('a link sets a new password once, ends every session, keeps passkeys and the second factor, and the person is told', async () => {
  const person = await makePerson()
  const other = await enter(person)
  await db.orm.execute(sql`insert into person_passkeys (id, person_id, credential_id, public_key, counter, device_type, backed_up)
    values (${person.id}, ${person.id}, ${person.id}, 'k', 0, 'singleDevice', false)`)
  await db.orm.execute(sql`update people set two_factor_enabled = true where id = ${person.id}`)
  await db.orm.execute(
    sql`insert into person_two_factors (id, person_id, secret, backup_codes) values (${person.id}, ${person.id}, 's', 'c')`,
  )
  const [token = ''] = await ask(` ${person.email.toUpperCase()} `)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const all = JSON.stringify(
    await rows(
      db.orm,
      sql`select to_jsonb(t) as row from outgoing_messages t
    union all select to_jsonb(v) from person_verifications v union all select to_jsonb(a) from audit_events a`,
    ),
  )
  expect(all).not.toContain(token)

  expect(await resetFor(token)).toBe(person.email)
  await expect(finish(token, 'short')).rejects.toMatchObject({ code: 'bad_request' })
  expect(await Promise.allSettled([finish(token), finish(token)])).toEqual(
    expect.arrayContaining([
      { status: 'fulfilled', value: { email: person.email } },
      { status: 'rejected', reason: expect.objectContaining(refused) },
    ]),
  )
  expect(await resetFor(token)).toBeUndefined()
  expect(await signedIn(other.browser.visitor)).toBeUndefined()
  await expect(signIn(new Browser().visitor, { email: person.email, password: PASSWORD })).rejects.toThrow('Incorrect')
  expect(await enter(person, NEXT)).toMatchObject({ next: 'code' })
  expect(await passkeysOf(accountOf(person, '10.0.0.1'))).toHaveLength(1)
  expect(await deliverMails()).toMatchObject([{ to: person.email, subject: 'Your Plumbline password was changed' }])
  const [audited] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from audit_events where event = 'password_reset' and actor_id = ${person.id} and contractor_id is null`,
  )
  expect(audited?.n).toBe(1)
})

test('an address without an account is answered the same, and nothing is sent to it', async () => {
  const before = await rows(db.orm, sql`select count(*) from person_verifications`)
  expect(await ask('nobody.here@example.com')).toEqual([])
  expect(await rows(db.orm, sql`select count(*) from person_verifications`)).toEqual(before)
  await expect(
    requestPasswordReset(new Browser().visitor, 'a@example.com\r\nBcc: b@example.com'),
  ).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('an address gets three links an hour, the last ones still work; a browser is limited by its address', async () => {
  const person = await makePerson()
  const tokens = [...(await ask(person.email)), ...(await ask(person.email)), ...(await ask(person.email))]
  expect(new Set(tokens).size).toBe(3)
  expect(await ask(person.email)).toEqual([])
  await finish(tokens[1] ?? '')
  // One that was used ends the others.
  for (const token of tokens) await expect(finish(token)).rejects.toMatchObject(refused)
  const { visitor } = new Browser()
  const asked = await Promise.allSettled(
    Array.from({ length: 11 }, () => requestPasswordReset(visitor, 'nobody.here@example.com')),
  )
  expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  await deliverMails()
})

test('a link works for half an hour, and an email that left late brings none', async () => {
  const person = await makePerson()
  const [token = ''] = await ask(person.email)
  await db.orm.execute(
    sql`update person_verifications set expires_at = now() where identifier = ${`password reset ${person.id}`}`,
  )
  await expect(finish(token)).rejects.toMatchObject(refused)
  await requestPasswordReset(new Browser().visitor, person.email)
  expect(await deliverMails(new Date(Date.now() + 31 * 60_000))).toEqual([])
})

test('an email that is sent twice has the same link, and a used link stays used', async () => {
  const person = await makePerson()
  await requestPasswordReset(new Browser().visitor, person.email)
  const [first] = await deliverMails(new Date(), { failing: true })
  const token = /\/reset-password\/([\w-]+)\n/.exec(first?.text ?? '')?.[1] ?? ''
  await finish(token)
  const again = await deliverMails(new Date(Date.now() + 2 * 60_000))
  expect(again.map(({ text }) => text)).toEqual(expect.arrayContaining([first?.text]))
  await expect(finish(token)).rejects.toMatchObject(refused)
})

test('an account whose address nobody confirmed is handed over: what was set up before ends', async () => {
  const person = await makePerson()
  await updatePerson(db.orm, person.id, { emailVerified: false })
  await db.orm.execute(sql`insert into person_passkeys (id, person_id, credential_id, public_key, counter, device_type, backed_up)
    values (${person.id}, ${person.id}, ${person.id}, 'k', 0, 'singleDevice', false)`)
  const [token = ''] = await ask(person.email)
  await finish(token)
  expect(await passkeysOf(accountOf(person, '10.0.0.1'))).toEqual([])
  expect(await rows(db.orm, sql`select email_verified from people where id = ${person.id}`)).toEqual([
    { email_verified: true },
  ])
  await enter(person, NEXT)
  await deliverMails()
})

test('an account that an operator closed stays closed', async () => {
  const person = await makePerson()
  await db.orm.execute(sql`delete from person_accounts where person_id = ${person.id}`)
  expect(await ask(person.email)).toEqual([])
})
