import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { findPerson, updatePerson } from '@/db/queries/people'
import { execute } from '@/lib/operations/execute'
import { inviteMember, resendInvitation, withdrawInvitation } from '@/lib/operations/team/invitations'
import { listTeam } from '@/lib/operations/team/list-team'
import {
  deliverMails,
  enter,
  invitationOf,
  join,
  makeMember,
  makePerson,
  newAddress,
  openPeopleDatabase,
  PASSWORD,
  tokenOf,
  useMailServer,
} from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
  useMailServer()
})
afterAll(() => db.close())

const now = new Date()

async function makeTeam() {
  const { contractor } = await makeTenant(db)
  const actor = await makeMember(db, contractor.id)
  const invite = (email: string) => execute(inviteMember, { actor, now }, { email, role: 'developer' })
  const open = async () => (await execute(listTeam, { actor, now }, {})).invitations
  return { contractor, actor, invite, open }
}

/** The invitations that leave; administrators are told of each by an email of its own. */
const takeInvitations = async () => (await deliverMails()).filter(({ subject }) => subject.startsWith('Join '))

/** The tokens of the links in the emails that leave. */
const mailed = async () => (await takeInvitations()).map(({ text }) => /\/invitation\/([\w-]+)\n/.exec(text)?.[1] ?? '')

test('an invitation is mailed: the link in the email proves the address, the one that the administrator sees does not', async () => {
  const { actor, invite, open, contractor } = await makeTeam()
  const [email, other] = [newAddress(), newAddress()]
  const { link, mailed: isMailed } = await invite(email)
  expect(isMailed).toBe(true)
  expect(await open()).toMatchObject([{ email, mail: 'waiting' }])
  const [mail] = await takeInvitations()
  expect(mail).toMatchObject({ to: email, subject: `Join ${contractor.name} on Plumbline` })
  expect(mail?.text).toContain(`${actor.email} invited you`)
  const token = /\/invitation\/([\w-]+)\n/.exec(mail?.text ?? '')?.[1] ?? ''
  expect(token).not.toBe(tokenOf(link))
  expect(await open()).toMatchObject([{ email, mail: 'sent' }])
  expect(JSON.stringify(await rows(db.orm, sql`select to_jsonb(m) as row from outgoing_messages m`))).not.toContain(
    token,
  )
  await join(token, { name: 'Sam', password: PASSWORD })
  expect(await findPerson(db.orm, email)).toMatchObject({ emailVerified: true })
  // One invitation, however many links.
  expect(await invitationOf(tokenOf(link))).toBeUndefined()

  await join(tokenOf((await invite(other)).link), { name: 'Eve', password: PASSWORD })
  expect(await findPerson(db.orm, other)).toMatchObject({ emailVerified: false })
  await deliverMails()
})

test('the link in the email gives an account that nobody confirmed to whoever has the address', async () => {
  const person = await makePerson()
  await updatePerson(db.orm, person.id, { emailVerified: false })
  const { invite } = await makeTeam()
  const { link } = await invite(person.email)
  const [token = ''] = await mailed()
  expect(await invitationOf(tokenOf(link))).toMatchObject({ acceptance: 'unconfirmed' })
  expect(await invitationOf(token)).toMatchObject({ acceptance: 'new password' })
  await join(token, { name: 'Owner', password: 'the password of the owner' })
  await expect(enter(person)).rejects.toThrow('Incorrect')
  await enter(person, 'the password of the owner')
})

test('an invitation is mailed again with a new link; withdrawn before it leaves, it is not mailed', async () => {
  const { actor, invite, open } = await makeTeam()
  const { link } = await invite(newAddress())
  const [first = ''] = await mailed()
  const [{ id } = { id: '' }] = await open()
  await execute(resendInvitation, { actor, now }, { id })
  const [second = ''] = await mailed()
  expect(second).not.toBe(first)
  expect(await invitationOf(first)).toBeUndefined()
  expect([await invitationOf(second), await invitationOf(tokenOf(link))]).not.toContain(undefined)
  await execute(resendInvitation, { actor, now }, { id })
  await execute(withdrawInvitation, { actor, now }, { id })
  expect(await mailed()).toEqual([])
  await expect(execute(resendInvitation, { actor, now }, { id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a contractor mails fifty invitations an hour', async () => {
  const { invite, actor, open } = await makeTeam()
  await db.orm.execute(sql`insert into outgoing_messages (id, contractor_id, channel, to_address, subject, body, about, created_at, next_at, failed_at)
    select 'msg_' || n || ${actor.personId}, ${actor.contractorId}, 'email', 'a@example.com', '', '', '{"kind":"invitation"}', now(), now(), now()
    from generate_series(1, 50) n`)
  await expect(invite(newAddress())).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await open()).toEqual([])
})
