import type { Command } from 'commander'
import { database } from '@/db/client'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { INVITATION_DAYS } from '@/lib/auth/people/invitations'
import { describeEndedAccess } from '@/lib/auth/people/reset'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { isRole, ROLES, type Role } from '@/lib/core/roles'
import { resetPassword } from '@/lib/operations/account/reset-password'
import { execute } from '@/lib/operations/execute'
import { addMember } from '@/lib/operations/team/add-member'
import { listTeam } from '@/lib/operations/team/list-team'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

type Creation = { contractor: string; email: string; name?: string; role?: string; reset?: boolean; json?: boolean }

/** Adds someone to a contractor's team: with a new account, or by an invitation if the account exists. */
async function create(io: Io, { contractor: wanted, json, role = 'admin', ...person }: Creation): Promise<void> {
  if (!isRole(role)) throw new ServiceError('bad_request', `Roles are ${ROLES.join(', ')}.`)
  const contractor = await requireContractor(await database(), wanted)
  const { id, name, slug } = contractor
  const added = await execute(addMember, { actor: operatorFor(id), now: new Date() }, { ...person, role })
  const { email } = added
  if (added.kind === 'added') {
    const { password, personId } = added
    const signInAt = `${baseUrls(env()).portal}/sign-in`
    if (json) return writeJson(io, { id: personId, email, role, contractor: slug, password, signInAt })
    io.out(`${password}\n`)
    io.err(
      `${email} is ${role} of ${name}. The password is shown this once; sign in at ${signInAt} and change it there.\n`,
    )
    return
  }
  const { link, ended } = added
  if (json) return writeJson(io, { email, role, contractor: slug, invitation: link, ended })
  io.out(`${link}\n`)
  if (ended)
    io.err(
      `Ended: the password, ${describeEndedAccess(ended)}. Whoever opens the link sets a new password; nothing else signs in.\n`,
    )
  io.err(
    `${email} has an account. Send this link to that address and to nobody else: it joins ${name} as ${role}, once, within ${INVITATION_DAYS} days.\n`,
  )
}

async function list(io: Io, { contractor: wanted, json }: { contractor: string; json?: boolean }): Promise<void> {
  const { id } = await requireContractor(await database(), wanted)
  const { members } = await execute(listTeam, { actor: operatorFor(id), now: new Date() }, {})
  if (json) return writeJson(io, members)
  const rows = members.map(({ email, name, role, twoFactor }) => [email, name, role, twoFactor ? 'on' : 'off'])
  writeTable(io, ['EMAIL', 'NAME', 'ROLE', 'TWO-FACTOR'], rows)
}

async function reset(io: Io, email: string): Promise<void> {
  const { password, ended } = await execute(resetPassword, { actor: serviceOperator(), now: new Date() }, { email })
  io.out(`${password}\n`)
  io.err(`Ended: the old password, ${describeEndedAccess(ended)}. The new password is shown this once.\n`)
}

/** Adds `admin create|list|password`. */
export function adminCommands(program: Command, io: Io): void {
  const admin = program.command('admin').description('people who sign in to the portal: create, list, password')
  admin
    .command('create')
    .description('create an account with a password or, if the address has an account, a one-time link to join')
    .requiredOption('--contractor <id or slug>')
    .requiredOption('--email <address>')
    .option('--name <name>')
    .option('--role <role>', `${ROLES.join(', ')}`, 'admin' satisfies Role)
    .option('--reset', 'first remove the password, passkeys, second factor and sessions of an existing account')
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
    .description('set a new password; removes the account’s sessions, passkeys and second factor')
    .action((email: string) => reset(io, email))
}
