import * as z from 'zod'
import { database } from '@/db/client'
import { deleteOwnSession, openSessions } from '@/db/queries/person-sessions'
import { signedInOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { defineOperation } from '../define'

const EXAMPLE_ID = '6f1f0c0e-4f0e-4b59-9d3e-0a8d5b1f7c2a'

/** Returns the places where the person is signed in. Tokens stay in the database, because cookies are made from them. */
export const listSessions = defineOperation({
  name: 'list_sessions',
  title: 'Sessions',
  description: 'Where the account is signed in, newest first.',
  access: 'account',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        address: z.string().nullable(),
        userAgent: z.string().nullable(),
        createdAt: z.date(),
        expiresAt: z.date(),
      }),
    ),
  }),
  example: {
    items: [
      {
        id: EXAMPLE_ID,
        address: '203.0.113.9',
        userAgent: 'Mozilla/5.0 (Macintosh) Firefox/140.0',
        createdAt: new Date('2026-11-20T08:30:00.000Z'),
        expiresAt: new Date('2026-11-27T08:30:00.000Z'),
      },
    ],
  },
  run: async ({ actor, now }) => ({
    items: await openSessions((await database()).orm, signedInOf(actor).personId, now),
  }),
})

/** Ends one of the person's own sessions. */
export const endSession = defineOperation({
  name: 'end_session',
  title: 'End a session',
  description: 'Signs the account out in one browser.',
  access: 'account',
  effect: 'write',
  input: z.object({ id: z.string().min(1).max(50) }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: EXAMPLE_ID },
  run: async ({ actor }, { id }) => {
    const by = signedInOf(actor)
    await (await database()).orm.transaction(async (tx) => {
      if (!(await deleteOwnSession(tx, by.personId, id)))
        throw new ServiceError('not_found', 'This session is over already.')
      await audit(tx, by, { event: 'session_ended', subject: id, contractorId: null })
    })
    return { id }
  },
})
