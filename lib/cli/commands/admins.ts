import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { database, withinContractor } from '@/db/client'
import { findPerson, membersOf, putMember } from '@/db/queries/people'
import { operatorFor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { isRole, ROLES, type Role } from '@/lib/auth/roles'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { createPerson, setPassword } from '@/lib/people/create-person'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

/** A password nobody has to think of: 120 bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url')

type Creation = { contractor: string; email: string; name?: string; role?: string; json?: boolean }

/** Makes someone a member of a contractor, with a new account when they have none; the password is made here and shown once. */
async function create(io: Io, { contractor: wanted, email, name, role = 'admin', json }: Creation): Promise<void> {
  if (!isRole(role)) throw new ServiceError('bad_request', `Roles are ${ROLES.join(', ')}.`)
  const { orm } = await database()
  const contractor = await requireContractor(await database(), wanted)
  const known = await findPerson(orm, email.trim().toLowerCase())
  const password = known ? undefined : randomPassword()
  const personId =
    known?.id ?? (await createPerson({ email, name: name ?? email.split('@')[0] ?? email, password: password ?? '' }))
  await withinContractor(orm, contractor.id, async (tx) => {
    await putMember(tx, { contractorId: contractor.id, personId, role })
    await audit(tx, operatorFor(contractor.id), { event: 'person_made', subject: email, detail: { role } })
  })
  const signInAt = `${baseUrls(env()).portal}/sign-in`
  if (json) return writeJson(io, { id: personId, email, role, contractor: contractor.slug, password, signInAt })
  io.out(password === undefined ? '' : `${password}\n`)
  io.err(
    password === undefined
      ? `${email} has an account and is now ${role} of ${contractor.name}. Sign in at ${signInAt}\n`
      : `${email} is ${role} of ${contractor.name}. The password is shown this once; sign in at ${signInAt} and change it there.\n`,
  )
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
  await setPassword(email.trim().toLowerCase(), password)
  io.out(`${password}\n`)
  io.err('All sessions of this account are over. The password is shown this once.\n')
}

/** `admin create|list|password` */
export function adminCommands(program: Command, io: Io): void {
  const admin = program.command('admin').description('people who sign in to the portal: create, list, password')
  admin
    .command('create')
    .description('make an account, or make one that is there a member of another contractor')
    .requiredOption('--contractor <id or slug>')
    .requiredOption('--email <address>')
    .option('--name <name>')
    .option('--role <role>', `${ROLES.join(', ')}`, 'admin' satisfies Role)
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
    .description('give an account a new password and end its sessions')
    .action((email: string) => resetPassword(io, email))
}
