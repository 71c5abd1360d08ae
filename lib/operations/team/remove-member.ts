import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { changeMember } from '@/lib/auth/people/members'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON, PersonId } from './fields'
import { endSetup, SetupInput } from './member-setup'

/** Takes a member off the team. */
export const removeMember = defineOperation({
  name: 'remove_member',
  title: 'Remove a member',
  description:
    'Removes a person from the team: they lose access at once, and their explorer keys and invitations end. What else they set up keeps working, unless `setup` says otherwise.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ personId: PersonId, setup: SetupInput }).strict(),
  output: z.object({ personId: z.string() }),
  example: { personId: EXAMPLE_PERSON },
  run: async ({ actor, now }, { personId, setup }) => {
    const by = personOf(actor)
    await changeMember(by, personId, null, async (tx) => {
      if (setup === 'end') await endSetup(tx, by, personId, now)
    })
    return { personId }
  },
})
