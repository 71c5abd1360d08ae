import * as z from 'zod'
import { signedInOf } from '@/lib/auth/actor'
import { issueExplorerKey as issue } from '@/lib/auth/people/explorer-key'
import { ROLE_FOR } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { MADE_KEY, MadeKeyOutput } from './terms'

/** Creates a key that can read for an hour, for trying the API. */
export const issueExplorerKey = defineOperation({
  name: 'issue_explorer_key',
  title: 'Issue an explorer key',
  description: 'Makes a key that reads for an hour and ends with its holder’s access; at most five a minute.',
  access: ROLE_FOR.explorerKey,
  effect: 'write',
  input: z.object({}).strict(),
  output: MadeKeyOutput,
  example: MADE_KEY,
  run: async ({ actor }) => {
    const { text, ...made } = await issue(signedInOf(actor))
    return { ...made, secret: text }
  },
})
