import * as z from 'zod'
import { endOwnConnections } from '@/lib/auth/oauth/grants'
import { defineOperation } from '../define'
import { PersonId } from '../team/fields'
import { EXAMPLE_CONNECTION, memberOf } from './fields'

/** Ends a connection, everywhere within five seconds. */
export const endConnection = defineOperation({
  name: 'end_connection',
  title: 'End a connection',
  description:
    'Ends a connection: its tokens, MCP sessions and streams stop working within five seconds. Administrators end any, others their own.',
  access: 'account',
  effect: 'write',
  input: z.object({ id: z.string().min(1).max(50) }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: EXAMPLE_CONNECTION },
  run: async ({ actor }, { id }) => {
    await endOwnConnections(memberOf(actor), { id })
    return { id }
  },
})

/** Ends every connection of a person at the contractor. */
export const endConnectionsOf = defineOperation({
  name: 'end_connections_of',
  title: 'End all connections of a person',
  description: 'Ends every connection that a person made for the contractor, as end_connection does.',
  access: 'admin',
  effect: 'write',
  input: z.object({ personId: PersonId }).strict(),
  output: z.object({ ended: z.int() }),
  example: { ended: 2 },
  run: async ({ actor }, { personId }) => ({ ended: await endOwnConnections(memberOf(actor), { personId }) }),
})
