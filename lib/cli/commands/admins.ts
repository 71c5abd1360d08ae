import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { database, withinContractor } from '@/db/client'
import type { Contractor } from '@/db/queries/contractors'
import { membersOf, putMember } from '@/db/queries/members'
import { findPerson } from '@/db/queries/people'
import { operatorFor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { createPerson } from '@/lib/auth/people/create-person'
import { INVITATION_DAYS, invite } from '@/lib/auth/people/invitations'
import { closeAccount, setPassword, tellEnded } from '@/lib/auth/people/reset'
import { isRole, ROLES, type Role } from '@/lib/auth/roles'
import { parseEmail } from '@/lib/core/contact'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

/** A password nobody has to think of: 120 bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url')

type Creation = { contractor: string; email: string; name?: string; role?: string; reset?: boolean; json?: boolean }

/** A new account that is a member at once; its password is made here and shown once. */
async function createMember(io: Io, contractor: Contractor, role: Role, { email, name, json }: Creation) {
  const { orm } = await database()
  const password = randomPassword()
  const account = { email, name: name ?? email.split('@')[0] ?? email, password, confirmed: true }
  const personId = await createPerson(account)
  await withinContractor(orm, contractor.id, async (tx) => {
    await putMember(tx, { contractorId: contractor.id, personId, role })
    await audit(tx, operatorFor(contractor.id), { event: 'person_made', subject: email, detail: { role } })
  })
  const signInAt = `${baseUrls(env()).portal}/sign-in`
  if (json) return writeJson(io, { id: personId, email, role, contractor: contractor.slug, password, signInAt })
  io.out(`${password}\n`)
  io.err(
    `${email} is ${role} of ${contractor.name}. The password is shown this once; sign in at ${signInAt} and change it there.\n`,
  )
}

/** An account that is there gains a contractor by its owner's own acceptance only, so it is invited; with `--reset` it is closed first. */
async function inviteMember(io: Io, contractor: Contractor, role: Role, { email, reset, json }: Creation) {
  const ended = reset ? await closeAccount(email) : undefined
  const { link } = await invite(operatorFor(contractor.id), { email, role })
  if (json) return writeJson(io, { email, role, contractor: contractor.slug, invitation: link, ended })
  io.out(`${link}\n`)
  if (ended)
    io.err(
      `Ended: the password, ${tellEnded(ended)}. Whoever opens the link sets a new password; nothing else signs in.\n`,
    )
  io.err(
    `${email} has an account. Send this link to that address and to nobody else: it joins ${contractor.name} as ${role}, once, within ${INVITATION_DAYS} days.\n`,
  )
}

/** Makes someone a member of a contractor: with a new account, or by an invitation where there is one. */
async function create(io: Io, creation: Creation): Promise<void> {
  const { contractor: wanted, role = 'admin' } = creation
  if (!isRole(role)) throw new ServiceError('bad_request', `Roles are ${ROLES.join(', ')}.`)
  const contractor = await requireContractor(await database(), wanted)
  const email = parseEmail(creation.email)
  if (!email) throw new ServiceError('bad_request', 'This is not an e-mail address.')
  const known = await findPerson((await database()).orm, email)
  await (known ? inviteMember : createMember)(io, contractor, role, { ...creation, email })
}

async function list(io: Io, { contractor: wanted, json }: { contractor: string; json?: boolean }): Promise<void> {
  const contractor = await requireContractor(await database(), wanted)
  const team = await membersOf((await database()).orm, contractor.id)
  if (json) return writeJson(io, team)
  const rows = team.map(({ email, name, role, twoFactor }) => [email, name, role, twoFactor ? 'on' : 'off'])
  writeTable(io, ['EMAIL', 'NAME', 'ROLE', 'TWO-FACTOR'], rows)
}

async function resetPassword(io: Io, email: string): Promise<void> {
  const password = randomPassword()
  const ended = await setPassword(email.trim().toLowerCase(), password)
  io.out(`${password}\n`)
  io.err(`Ended: the old password, ${tellEnded(ended)}. The new password is shown this once.\n`)
}

/** `admin create|list|password` */
export function adminCommands(program: Command, io: Io): void {
  const admin = program.command('admin').description('people who sign in to the portal: create, list, password')
  admin
    .command('create')
    .description('make an account with a password, or, for an address that has one, a one-time link to join with')
    .requiredOption('--contractor <id or slug>')
    .requiredOption('--email <address>')
    .option('--name <name>')
    .option('--role <role>', `${ROLES.join(', ')}`, 'admin' satisfies Role)
    .option('--reset', 'first end the password, passkeys, second factor and sessions of an account that is there')
    .option('--json', 'as JSON')
    .action((options) => create(io, options))
  admin
    .command('list')
    .description('the team of a contractor')
    .requiredOption('--contractor <id or slug>')
    .option('--json', 'as JSON')
    .action((options) => list(io, options))
  admin
    .command('password <email>')
    .description('give an account a new password; its sessions, passkeys and second factor end')
    .action((email: string) => resetPassword(io, email))
}
