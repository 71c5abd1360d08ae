import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { putMember } from '@/db/queries/members'
import { updatePerson } from '@/db/queries/people'
import { findProvider } from '@/db/queries/sso'
import { operatorFor } from '@/lib/auth/actor'
import { membershipsOf, ownAccountOf, ssoOnlyPlaces } from '@/lib/auth/people/memberships'
import { signedIn } from '@/lib/auth/people/sign-in'
import { isRecentProof } from '@/lib/auth/require'
import { publicLookup } from '@/lib/core/public-address'
import { execute } from '@/lib/operations/execute'
import { getSso, removeSso, requireSso, setSso } from '@/lib/operations/sso/sso'
import { inviteMember } from '@/lib/operations/team/invitations'
import { removeMember } from '@/lib/operations/team/remove-member'
import { follow, here, reachProviders, startForger, startHttps, startProvider } from '@/lib/testing/identity-provider'
import {
  Browser,
  deliverMails,
  enter,
  makeMember,
  makePerson,
  newAddress,
  openPeopleDatabase,
  useMailServer,
} from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import { requestPasswordReset } from '../people/reset'
import { admit } from './admit'
import { beginSso, finishSso, requestSsoPlaces } from './sign-in'

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

const now = new Date()
const SECRET = 'the-secret-of-the-client'

const honest = () => {
  for (const name of ['alg', 'withOtherKey', 'discoveredIssuer', 'answer'] as const) delete forger.forged[name]
}

/** A contractor with an administrator and a provider. */
async function makeTeam(issuer = forger.issuer, more: { joinRole?: 'viewer' } = {}) {
  honest()
  const { contractor } = await makeTenant(db)
  const admin = await makeMember(db, contractor.id)
  const settings = { issuer, clientId: 'plumbline', clientSecret: SECRET, domains: ['example.com'], ...more }
  await execute(setSso, { actor: admin, now }, settings)
  const member = await makePerson()
  await putMember(db.orm, { contractorId: contractor.id, personId: member.id, role: 'viewer' })
  return { contractor, admin, member, slug: contractor.slug }
}

type Changes = Partial<Omit<typeof forger.forged, 'claims'>> & {
  claims?: Record<string, unknown>
  /** Replaces the query that the provider answers with. */
  query?: (query: URLSearchParams) => void
  /** The contractor whose address the answer arrives at. */
  at?: string
  /** The browser in which somebody who is signed in confirms that it is them. */
  again?: Browser
}

/** Signs in through the forging provider; the query is what a provider would send. */
async function signInAs(
  slug: string,
  email: string,
  { claims = {}, query, at = slug, again, ...forged }: Changes = {},
) {
  const browser = again ?? new Browser()
  const begun = { slug, next: '/keys', again: again !== undefined }
  const { url } = browser.keep(await beginSso(browser.visitor, begun))
  const asked = new URL(url).searchParams
  honest()
  Object.assign(forger.forged, forged, { claims: { sub: email, email, nonce: asked.get('nonce'), ...claims } })
  const answer = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: forger.issuer })
  query?.(answer)
  const finish = () => finishSso(browser.visitor, { slug: at, query: String(answer) })
  return { browser, asked, answer, finish }
}

const outcome = async (slug: string, email: string, changes: Changes = {}) => {
  const { browser, finish } = await signInAs(slug, email, changes)
  return await finish().then(
    async (answer) => {
      browser.keep(answer)
      return await signedIn(browser.visitor)
    },
    (error) => error.reason ?? error,
  )
}

test('a real provider: code flow with PKCE, state and nonce; the session reaches its contractor only, and nothing of the account', async () => {
  const https = await startHttps()
  const { contractor } = await makeTenant(db)
  const { slug } = contractor
  const admin = await makeMember(db, contractor.id)
  const other = await makeTenant(db)
  const person = await makePerson()
  for (const contractorId of [contractor.id, other.contractor.id])
    await putMember(db.orm, { contractorId, personId: person.id, role: 'viewer' })
  const { redirectUri } = await execute(getSso, { actor: admin, now }, {})
  expect(redirectUri).toBe(`http://localhost:3000/sign-in/sso/${slug}/callback`)
  const account = { sub: 'a-1', email: person.email, name: 'Ana at work' }
  startProvider(https, { client: 'plumbline', secret: SECRET, redirectUri }, (finish) => finish(account))
  const settings = { issuer: https.issuer, clientId: 'plumbline', clientSecret: SECRET, domains: ['example.com'] }
  await execute(setSso, { actor: admin, now }, settings)

  const browser = new Browser()
  const { url } = browser.keep(await beginSso(browser.visitor, { slug, next: '/keys?x=1' }))
  const back = new URL(await follow(url, https.issuer))
  expect(back.origin + back.pathname).toBe(redirectUri)
  const query = back.search.slice(1)
  const { next } = browser.keep(await finishSso(browser.visitor, { slug, query }))
  expect(next).toBe('/keys?x=1')
  const who = await signedIn(browser.visitor)
  expect(who).toMatchObject({ id: person.id, session: { onlyContractor: contractor.id } })
  if (!who) throw new Error('somebody is signed in')
  expect(who.session.expiresAt.getTime()).toBeLessThan(Date.now() + 12 * 3_600_000 + 1_000)
  expect((await membershipsOf(who)).map(({ contractorId }) => contractorId)).toEqual([contractor.id])
  expect(() => ownAccountOf(who, '10.0.0.1')).toThrow('reaches one contractor')
  // A code, a state and a browser's cookie each work once.
  await expect(finishSso(browser.visitor, { slug, query })).rejects.toMatchObject({ reason: 'state' })
  const again = new Browser()
  again.keep(await beginSso(again.visitor, { slug, next: '/' }))
  const state = new URLSearchParams(query)
  state.set('state', 'another')
  await expect(finishSso(again.visitor, { slug, query: String(state) })).rejects.toMatchObject({ reason: 'state' })
  https.close()
  expect(await beginSso(new Browser().visitor, { slug, next: '/' }).catch((error) => error)).toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('cannot be reached'),
  })
})

const refuse = (query: URLSearchParams) => {
  query.delete('code')
  query.set('error', 'access_denied')
}
const minutes = (n: number) => Math.floor(Date.now() / 1000) + n * 60
test.each<[string, Changes, string]>([
  ['another issuer', { claims: { iss: 'https://evil.example.com' } }, 'invalid'],
  ['another audience', { claims: { aud: 'another-client' } }, 'invalid'],
  ['two audiences, for another party', { claims: { aud: ['plumbline', 'x'], azp: 'x' } }, 'invalid'],
  ['another key', { withOtherKey: true }, 'invalid'],
  ['no signature', { alg: 'none' }, 'invalid'],
  ['a nonce of another sign-in', { claims: { nonce: 'another' } }, 'invalid'],
  ['no nonce', { claims: { nonce: undefined } }, 'invalid'],
  ['a token that is over', { claims: { iat: minutes(-20), exp: minutes(-10) } }, 'invalid'],
  ['an unverified address', { claims: { email_verified: false } }, 'unverified'],
  ['an address nobody speaks of', { claims: { email: undefined } }, 'unverified'],
  ['an address of another domain', { claims: { email: 'ana@evil.example' } }, 'domain'],
  ['an address of a longer domain', { claims: { email: 'ana@notexample.com' } }, 'domain'],
  ['an answer in the name of another issuer', { query: (q) => q.set('iss', 'https://evil.example.com') }, 'invalid'],
  ['an answer without its issuer', { query: (q) => q.delete('iss') }, 'invalid'],
  ['another state', { query: (q) => q.set('state', 'x') }, 'state'],
  ['a refusal', { query: refuse }, 'denied'],
  ['a discovery document of another issuer', { discoveredIssuer: 'https://evil.example.com' }, 'unreachable'],
  [
    'a redirect instead of tokens',
    { answer: (r) => r.writeHead(302, { location: 'https://10.0.0.1/' }).end() },
    'invalid',
  ],
  ['an answer without end', { answer: (r) => r.end(Buffer.alloc(1_000_000, ' ')) }, 'invalid'],
])('%s lets nobody in', async (_, changes, reason) => {
  const { slug, member } = await makeTeam()
  expect(await outcome(slug, member.email, changes)).toBe(reason)
})

test('a clock a little off, and a key that the provider changed, let people in', async () => {
  const { slug, member } = await makeTeam()
  expect(await outcome(slug, member.email, { claims: { iat: minutes(0.5), exp: minutes(-0.5) } })).toMatchObject({
    id: member.id,
  })
  await forger.rotate()
  expect(await outcome(slug, member.email)).toMatchObject({ id: member.id })
})

test('a state of another browser, and the answer of one contractor’s provider at another’s address, let nobody in', async () => {
  const [mine, theirs] = [await makeTeam(), await makeTeam()]
  const begun = await signInAs(mine.slug, mine.member.email)
  await expect(
    finishSso(new Browser().visitor, { slug: mine.slug, query: String(begun.answer) }),
  ).rejects.toMatchObject({
    reason: 'state',
  })
  expect(await outcome(mine.slug, theirs.member.email, { at: theirs.slug })).toBe('state')
  // Their member is nobody here, whatever my provider says.
  expect(await outcome(mine.slug, theirs.member.email)).toBe('account')
  const mineToo = await outcome(mine.slug, mine.member.email)
  expect((await membershipsOf(mineToo)).map(({ slug }) => slug)).toEqual([mine.slug])
})

test('an invited person gets an account without a confirmed address; an uninvited one only where the contractor lets the domain join', async () => {
  const { slug, admin, contractor } = await makeTeam()
  const email = newAddress()
  expect(await outcome(slug, email)).toBe('unknown')
  await execute(inviteMember, { actor: admin, now }, { email, role: 'developer' })
  const who = await outcome(slug, email, { claims: { name: 'Sam\nLee', sub: 's-1' } })
  expect(who).toMatchObject({ email, name: 'Sam Lee' })
  expect(await membershipsOf(who)).toMatchObject([{ contractorId: contractor.id, role: 'developer' }])
  expect(await rows(db.orm, sql`select email_verified from people where email = ${email}`)).toEqual([
    { email_verified: false },
  ])
  // The subject is who it was, whatever its address becomes.
  expect(await outcome(slug, newAddress(), { claims: { sub: 's-1' } })).toMatchObject({ id: who.id })
  // An account with no password is told how it signs in.
  await deliverMails()
  await requestPasswordReset(new Browser().visitor, email)
  const [mail] = await deliverMails()
  expect(mail?.text).toMatch(new RegExp(`no password[\\s\\S]*/sign-in/sso/${slug}`))
  expect(mail?.text).not.toContain('reset-password')

  const open = await makeTeam(forger.issuer, { joinRole: 'viewer' })
  const joined = await outcome(open.slug, newAddress())
  expect(await membershipsOf(joined)).toMatchObject([{ contractorId: open.contractor.id, role: 'viewer' }])
})

test('a member who was removed is out at once, and does not come back through the provider', async () => {
  const { slug, admin, member } = await makeTeam(forger.issuer, { joinRole: 'viewer' })
  const { browser, finish } = await signInAs(slug, member.email)
  browser.keep(await finish())
  await execute(removeMember, { actor: admin, now }, { personId: member.id })
  expect(await signedIn(browser.visitor)).toBeUndefined()
  expect(await outcome(slug, member.email)).toBe('account')
})

test('required: passwords no longer reach the contractor, but for its longest-serving administrator; the operator ends it', async () => {
  const { slug, admin, member, contractor } = await makeTeam()
  const own = async (person: { email: string }) => {
    const who = await signedIn((await enter(person)).browser.visitor)
    if (!who) throw new Error('somebody is signed in')
    return who
  }
  await expect(execute(requireSso, { actor: admin, now }, { required: true })).rejects.toMatchObject({
    code: 'bad_request',
  })
  const bySso = await outcome(slug, member.email)
  await execute(requireSso, { actor: admin, now }, { required: true })
  const byPassword = await own(member)
  expect(await membershipsOf(byPassword)).toEqual([])
  expect(await ssoOnlyPlaces(byPassword)).toEqual([{ name: contractor.name, slug }])
  expect(await membershipsOf(bySso)).toHaveLength(1)
  expect(await membershipsOf(await own(admin))).toHaveLength(1)
  expect(await execute(getSso, { actor: admin, now }, {})).toMatchObject({ breakGlass: { email: admin.email } })
  const second = await makeMember(db, contractor.id)
  expect(await membershipsOf(await own(second))).toEqual([])
  await execute(requireSso, { actor: operatorFor(contractor.id), now }, { required: false })
  expect(await membershipsOf(byPassword)).toHaveLength(1)
})

test('the secret is sealed, goes to no other issuer, and a removed provider ends its sessions', async () => {
  const { slug, admin, member } = await makeTeam()
  const stored = JSON.stringify(await rows(db.orm, sql`select to_jsonb(p) as row from sso_providers p`))
  expect(stored).not.toContain(SECRET)
  expect(JSON.stringify(await execute(getSso, { actor: admin, now }, {}))).not.toMatch(/secret/i)
  const same = { issuer: forger.issuer, clientId: 'plumbline', domains: ['example.com', 'example.org'] }
  await execute(setSso, { actor: admin, now }, same)
  await expect(execute(setSso, { actor: admin, now }, { ...same, clientId: 'x' })).rejects.toMatchObject({
    fields: [{ field: 'clientSecret' }],
  })
  const { browser, finish } = await signInAs(slug, member.email)
  browser.keep(await finish())
  await execute(removeSso, { actor: admin, now }, {})
  expect(await signedIn(browser.visitor)).toBeUndefined()
  await expect(beginSso(browser.visitor, { slug, next: '/' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a provider inside somebody’s network is refused, by its address and by what its name resolves to', async () => {
  const { admin } = await makeTeam()
  const set = (issuer: string) =>
    execute(setSso, { actor: admin, now }, { issuer, clientId: 'c', clientSecret: 's', domains: ['example.com'] })
  for (const issuer of [
    'http://login.example.com',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://localhost',
    'https://db.internal',
  ])
    await expect(set(issuer), issuer).rejects.toMatchObject({ fields: [{ field: 'issuer' }] })
  reachProviders({
    lookup: publicLookup(undefined, (_host, _options, done) => done(null, [{ address: '10.0.0.1', family: 4 }])),
  })
  await expect(set(forger.issuer)).rejects.toThrow('discovery document')
  reachProviders(here())
  await set(forger.issuer)
})

test('another subject with an address that is linked already is refused, also when both arrive at once; another client links it again', async () => {
  const { slug, admin, member, contractor } = await makeTeam()
  const as = (sub: string) => outcome(slug, member.email, { claims: { sub } })
  const linked = () =>
    rows<{ subject: string }>(db.orm, sql`select subject from sso_identities where person_id = ${member.id}`)
  expect(await as('first')).toMatchObject({ id: member.id })
  expect(await as('second')).toBe('linked')
  expect(await as('first')).toMatchObject({ id: member.id })
  expect(await linked()).toEqual([{ subject: 'first' }])

  const both = await makePerson()
  await putMember(db.orm, { contractorId: contractor.id, personId: both.id, role: 'viewer' })
  const claims = (subject: string) => ({ sub: subject, email: both.email, email_verified: true })
  const provider = await findProvider(db.orm, contractor.id)
  if (!provider) throw new Error('the provider is set')
  const came = await Promise.allSettled(['a', 'b'].map((sub) => admit(db.orm, provider, claims(sub), '10.0.0.1')))
  expect(came.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])

  const other = { issuer: forger.issuer, clientId: 'another', clientSecret: SECRET, domains: ['example.com'] }
  await execute(setSso, { actor: admin, now }, other)
  expect(await linked()).toEqual([])
})

test('who confirms at the provider is asked there again, as the same person; what it says of the moment counts', async () => {
  const { slug, member } = await makeTeam()
  const seconds = (ago: number) => Math.floor(Date.now() / 1000) - ago
  const { browser, finish, asked } = await signInAs(slug, member.email, { claims: { auth_time: seconds(3_600) } })
  expect(asked.has('prompt')).toBe(false)
  browser.keep(await finish())
  const who = async () => (await signedIn(browser.visitor))?.session
  const began = await who()
  expect(isRecentProof(began?.provenAt ?? null, new Date())).toBe(false)

  const stale = await signInAs(slug, member.email, { again: browser, claims: { auth_time: seconds(3_600) } })
  expect(Object.fromEntries(stale.asked)).toMatchObject({ prompt: 'login', max_age: '0' })
  await expect(stale.finish()).rejects.toMatchObject({ reason: 'stale' })
  const stranger = await makePerson()
  await putMember(db.orm, { contractorId: began?.onlyContractor ?? '', personId: stranger.id, role: 'viewer' })
  const other = await signInAs(slug, stranger.email, { again: browser })
  await expect(other.finish()).rejects.toMatchObject({ reason: 'other' })
  expect(isRecentProof((await who())?.provenAt ?? null, new Date())).toBe(false)

  const right = await signInAs(slug, member.email, { again: browser, claims: { auth_time: seconds(0) } })
  expect(browser.keep(await right.finish())).toMatchObject({ next: '/keys' })
  const now = await who()
  expect(now?.id).toBe(began?.id)
  expect(isRecentProof(now?.provenAt ?? null, new Date())).toBe(true)
})

test('an email names no place that only its own provider put the address into', async () => {
  const { slug, contractor } = await makeTeam(forger.issuer, { joinRole: 'viewer' })
  const email = newAddress()
  const who = await outcome(slug, email)
  const mailed = async (ask: (visitor: Browser['visitor'], text: string) => Promise<void>) => {
    await deliverMails()
    await ask(new Browser().visitor, email)
    return (await deliverMails())[0]?.text ?? ''
  }
  for (const ask of [requestPasswordReset, requestSsoPlaces]) {
    const text = await mailed(ask)
    expect(text).toContain('Ask the administrator of your team')
    expect(text).not.toContain('/sign-in/sso')
    expect(text).not.toContain(contractor.name)
    expect(text).not.toContain('reset-password')
  }
  // Confirmed later on, by somebody else's invitation, it is still no place of theirs.
  await updatePerson(db.orm, who.id, { emailVerified: true })
  expect(await mailed(requestSsoPlaces)).not.toContain('/sign-in/sso')
  const invited = await makeTeam()
  const guest = newAddress()
  await execute(inviteMember, { actor: invited.admin, now }, { email: guest, role: 'viewer' })
  await outcome(invited.slug, guest)
  await deliverMails()
  await requestPasswordReset(new Browser().visitor, guest)
  expect((await deliverMails())[0]?.text).toContain(`/sign-in/sso/${invited.slug}`)
})
