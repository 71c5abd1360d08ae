import { z } from 'zod'
import { personOf } from '@/lib/auth/actor'
import { changeMember } from '@/lib/auth/people/members'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON, PersonId } from './fields'

/** Takes a member off the team. */
export const removeMember = defineOperation({
  name: 'remove_member',
  title: 'Remove a member',
  description:
    'Removes a person from the team: they lose access at once, and their explorer keys and invitations end. Other keys they made keep working.',
  access: 'admin',
  effect: 'write',
  input: z.object({ personId: PersonId }).strict(),
  output: z.object({ personId: z.string() }),
  example: { personId: EXAMPLE_PERSON },
  run: async ({ actor }, { personId }) => {
    await changeMember(personOf(actor), personId, null)
    return { personId }
  },
})
