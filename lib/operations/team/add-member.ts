import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { putMember } from '@/db/queries/members'
import { findPerson } from '@/db/queries/people'
import { type OperatorActor, operatorOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { createPerson, randomPassword } from '@/lib/auth/people/create-person'
import { invite } from '@/lib/auth/people/invitations'
import { closeAccount } from '@/lib/auth/people/reset'
import { Ended } from '../account/ended'
import { defineOperation } from '../define'
import { EmailInput, EXAMPLE_PERSON, PersonName, RoleInput } from './fields'

const Input = z
  .object({
    email: EmailInput,
    name: PersonName.optional().describe('The beginning of the address when left out'),
    role: RoleInput,
    reset: z.boolean().default(false).describe('First ends every way into an account that exists'),
  })
  .strict()

const Added = z.object({ kind: z.literal('added'), personId: z.string(), email: z.string(), password: z.string() })
const Invited = z.object({
  kind: z.literal('invited'),
  email: z.string(),
  link: z.string(),
  ended: Ended.optional(),
})

/** A new account that is a member at once; its password is made here and shown once. */
async function addNew(
  by: OperatorActor,
  { email, name, role }: z.output<typeof Input>,
): Promise<z.input<typeof Added>> {
  const password = randomPassword()
  const account = { email, name: name ?? email.split('@')[0] ?? email, password, confirmed: true }
  const personId = await createPerson(account)
  await withinContractor((await database()).orm, by.contractorId, async (tx) => {
    await putMember(tx, { contractorId: by.contractorId, personId, role })
    await audit(tx, by, { event: 'person_made', subject: email, detail: { role }, told: `for ${email} as ${role}` })
  })
  return { kind: 'added', personId, email, password }
}

/** Adds someone to a contractor's team: with a new account, or by an invitation where the address has one. */
export const addMember = defineOperation({
  name: 'add_member',
  title: 'Add a member',
  description:
    'Makes an account with a password for an address that has none. Who has an account gains a contractor by their own acceptance only, so they get an invitation.',
  access: 'operator',
  effect: 'write',
  input: Input,
  output: z.discriminatedUnion('kind', [Added, Invited]),
  example: { kind: 'added', personId: EXAMPLE_PERSON, email: 'ana@example.com', password: '…' },
  run: async ({ actor }, wanted) => {
    const by = operatorOf(actor)
    const { email, role, reset } = wanted
    if (!(await findPerson((await database()).orm, email))) return await addNew(by, wanted)
    const ended = reset ? await closeAccount(by, email) : undefined
    return { kind: 'invited' as const, email, link: (await invite(by, { email, role })).link, ended }
  },
})
