import * as z from 'zod'
import { operatorOf } from '@/lib/auth/actor'
import { randomPassword } from '@/lib/auth/people/create-person'
import { setPassword } from '@/lib/auth/people/reset'
import { defineOperation } from '../define'
import { EmailInput } from '../team/fields'
import { Ended } from './ended'

/** Sets an account's new password and ends every other way to sign in. */
export const resetPassword = defineOperation({
  name: 'reset_password',
  title: 'Reset a password',
  description: 'Gives an account a new password; its sessions, passkeys and second factor end.',
  access: 'operator',
  effect: 'write',
  input: z.object({ email: EmailInput, password: z.string().optional().describe('Made when left out') }).strict(),
  output: z.object({ password: z.string(), ended: Ended }),
  example: {
    password: '…',
    ended: { sessions: 2, passkeys: 1, secondFactor: true, explorerKeys: 0, connections: 0, invitations: 0 },
  },
  run: async ({ actor }, { email, password = randomPassword() }) => ({
    password,
    ended: await setPassword(operatorOf(actor), email, password),
  }),
})
