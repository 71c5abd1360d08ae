import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { openInvitations } from '@/db/queries/invitations'
import { membersOf } from '@/db/queries/members'
import { ROLES } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON } from './fields'

const Member = z.object({
  personId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  since: z.date(),
  twoFactor: z.boolean(),
  lastSignIn: z.date().nullable().describe('When the newest of their open sessions began; null without one'),
})

const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  expiresAt: z.date(),
  mail: z
    .enum(['sent', 'waiting', 'failed', 'none'])
    .describe('What became of its email; none where it was not mailed'),
})

type Mailed = { messageId: string | null; mailedAt: Date | null; mailFailedAt: Date | null }
const mailOf = ({ messageId, mailedAt, mailFailedAt }: Mailed) =>
  messageId === null ? 'none' : mailFailedAt ? 'failed' : mailedAt ? 'sent' : 'waiting'

/** The people of a contractor, and who is invited and has not joined yet. */
export const listTeam = defineOperation({
  name: 'list_team',
  title: 'Team',
  description: 'The members of the contractor with their roles, longest first, and the invitations still open.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({ members: z.array(Member), invitations: z.array(Invitation) }),
  example: {
    members: [
      {
        personId: EXAMPLE_PERSON,
        name: 'Ana Ruiz',
        email: 'ana@example.com',
        role: 'admin',
        since: new Date('2026-11-01T08:30:00.000Z'),
        twoFactor: true,
        lastSignIn: new Date('2026-11-20T08:30:00.000Z'),
      },
    ],
    invitations: [],
  },
  run: async ({ actor: { contractorId } }) =>
    await withinContractor((await database()).orm, contractorId, async (tx) => {
      const members = await membersOf(tx, contractorId)
      const invitations = await openInvitations(tx, contractorId)
      return {
        members: members.map(({ twoFactor, lastSignIn, ...member }) => ({
          ...member,
          twoFactor: twoFactor === true,
          lastSignIn: lastSignIn === null ? null : new Date(lastSignIn),
        })),
        invitations: invitations.map((invitation) => ({ ...invitation, mail: mailOf(invitation) })),
      }
    }),
})
