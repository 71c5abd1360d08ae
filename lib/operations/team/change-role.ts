import { z } from 'zod'
import { personOf } from '@/lib/auth/actor'
import { changeMember } from '@/lib/auth/people/members'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON, PersonId, RoleInput } from './fields'

/** Gives a member another role. */
export const changeRole = defineOperation({
  name: 'change_role',
  title: 'Change a role',
  description:
    'Gives a member another role. The invitations and explorer keys that the new role does not allow end with it.',
  access: 'admin',
  effect: 'write',
  input: z.object({ personId: PersonId, role: RoleInput }).strict(),
  output: z.object({ personId: z.string(), role: RoleInput }),
  example: { personId: EXAMPLE_PERSON, role: 'developer' },
  run: async ({ actor }, { personId, role }) => {
    await changeMember(personOf(actor), personId, role)
    return { personId, role }
  },
})
