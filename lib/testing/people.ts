import { type Database, shareDatabase } from '@/db/client'
import { putMember } from '@/db/queries/members'
import { accountOf, type PersonActor } from '@/lib/auth/actor'
import { hashPassword, insertPerson } from '@/lib/auth/people/create-person'
import { invitedBy, requireInvited } from '@/lib/auth/people/invitations'
import { signIn } from '@/lib/auth/people/sign-in'
import type { LeavesCookies, Visitor } from '@/lib/auth/people/visitor'
import { scopesOfRole } from '@/lib/auth/roles'
import { env } from '@/lib/core/env'
import type { Role } from '@/lib/core/roles'
import type { Mail } from '@/lib/notify/mail'
import { runNotifications } from '@/lib/notify/run'
import { listPasskeys } from '@/lib/operations/account/passkeys'
import { listSessions } from '@/lib/operations/account/sessions'
import { execute } from '@/lib/operations/execute'
import { acceptInvitation, getInvitation, joinWithAccount } from '@/lib/operations/team/invitations'
import { openTestDatabase } from '@/lib/testing/database'

let visitors = 0
/** A browser: it keeps the cookies it receives, and has its own address. */
export class Browser {
  private readonly jar = new Map<string, string>()
  readonly address = `10.9.${++visitors >> 8}.${visitors & 255}`
  get visitor(): Visitor {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return { address: this.address, userAgent: 'Test/1.0', cookie }
  }
  keep<T extends LeavesCookies>(answer: T): T {
    for (const line of answer.setCookies) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const at = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) this.jar.delete(pair.slice(0, at))
      else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
}

/** Sets a mail server, which {@link deliverMails} stands in for. */
export function useMailServer(): void {
  Object.assign(env(), { mail: { url: 'smtp://127.0.0.1:9', from: 'plumbline@example.com' } })
}

/**
 * Sends what is due, and returns the emails that left.
 * @param failing whether the server fails after it took each email, so that it is sent again
 */
export async function deliverMails(now = new Date(Date.now() + 1_000), { failing = false } = {}): Promise<Mail[]> {
  const mails: Mail[] = []
  const email = async (mail: Mail) => {
    mails.push(mail)
    if (failing) throw new Error('the connection broke')
  }
  await runNotifications({ now, senders: { email, webhook: async () => {} } })
  return mails
}

export const PASSWORD = 'a long enough password'

/** Opens a database for one test file, which sign-in also uses. */
export async function openPeopleDatabase(): Promise<Database> {
  process.env.BETTER_AUTH_SECRET ||= 'a secret of the tests, long enough for it'
  const db = await openTestDatabase()
  shareDatabase(db)
  return db
}

let people = 0
export const newAddress = () => `person${++people}.${Date.now()}@example.com`

/** The hash of {@link PASSWORD}: made once, since it takes longer than all else of an account. */
let hash: Promise<string> | undefined

/** Creates an account with a confirmed address; it signs in with {@link PASSWORD}. */
export async function makePerson(name = 'Ana Ruiz') {
  const email = newAddress()
  hash ??= hashPassword(PASSWORD)
  return { id: await insertPerson({ email, name, confirmed: true }, await hash), name, email }
}

export type Person = Awaited<ReturnType<typeof makePerson>>

/** Returns a person with a role for a contractor, as the author of what they do. */
export const personActor = (
  person: { id: string; email: string; name?: string },
  contractorId: string,
  role: Role = 'admin',
  address = '10.0.0.1',
): PersonActor => ({
  ...accountOf({ name: 'Ana Ruiz', ...person, session: { provenAt: new Date() } }, address),
  role,
  contractorId,
  scopes: scopesOfRole(role),
})

/** A new account that is a member of a contractor. */
export async function makeMember(db: Database, contractorId: string, role: Role = 'admin'): Promise<PersonActor> {
  const person = await makePerson()
  await putMember(db.orm, { contractorId, personId: person.id, role })
  return personActor(person, contractorId, role)
}

/** Signs in with a password from a new browser; `next` says whether a second step follows. */
export async function enter({ email }: { email: string }, password = PASSWORD) {
  const browser = new Browser()
  const { next } = browser.keep(await signIn(browser.visitor, { email, password }))
  return { browser, next }
}

/** The token of an invitation's link. */
export const tokenOf = (link: string) => link.trim().split('/').at(-1) ?? ''

/** Returns what the page of a link shows; undefined when it is over. */
export async function invitationOf(token: string) {
  const actor = await invitedBy(token, '10.0.0.2')
  return actor && (await execute(getInvitation, { actor, now: new Date() }, {}))
}

/** Opens a link and joins: as a person who is signed in, or with an account that is made for it. */
export async function join(
  token: string,
  who: { person: Pick<Person, 'id' | 'name' | 'email'> } | { name: string; password: string },
  address = '10.0.0.2',
): Promise<void> {
  const now = new Date()
  if ('person' in who) await execute(acceptInvitation, { actor: accountOf(who.person, address), now }, { token })
  else await execute(joinWithAccount, { actor: await requireInvited(token, address), now }, who)
}

/** Returns the places where a person is signed in. */
export const sessionsOf = async (actor: PersonActor) =>
  (await execute(listSessions, { actor, now: new Date() }, {})).items

/** The passkeys someone has. */
export const passkeysOf = async (actor: PersonActor) =>
  (await execute(listPasskeys, { actor, now: new Date() }, {})).items
