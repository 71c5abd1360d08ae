import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { changeMember } from '@/lib/auth/people/members'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON, PersonId, RoleInput } from './fields'
import { endSetup, SetupInput } from './member-setup'

/** Gives a member another role. */
export const changeRole = defineOperation({
  name: 'change_role',
  title: 'Change a role',
  description:
    'Gives a member another role. The invitations and explorer keys that the new role does not allow end with it. What an administrator set up stays when they become less, unless `setup` says otherwise.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ personId: PersonId, role: RoleInput, setup: SetupInput }).strict(),
  output: z.object({ personId: z.string(), role: RoleInput }),
  example: { personId: EXAMPLE_PERSON, role: 'developer' },
  run: async ({ actor, now }, { personId, role, setup }) => {
    const by = personOf(actor)
    await changeMember(by, personId, role, async (tx, before) => {
      if (setup === 'end' && before === 'admin' && role !== 'admin') await endSetup(tx, by, personId, now)
    })
    return { personId, role }
  },
})
