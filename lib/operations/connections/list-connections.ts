import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { allowedDestinations, listGrants } from '@/db/queries/oauth-grants'
import { ROLES } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON } from '../team/fields'
import { EXAMPLE_CONNECTION, memberOf } from './fields'

const Connection = z.object({
  id: z.string(),
  personId: z.string(),
  person: z.string(),
  email: z.string(),
  role: z.enum(ROLES).nullable().describe('The person’s role now; null for one who has left the team'),
  client: z.string().describe('What the program calls itself'),
  clientId: z.string(),
  destination: z.string().describe('Where it sends people back to: a host, `this computer`, or a scheme of its own'),
  isVerified: z.boolean().describe('Whether a host vouches for the program by its metadata document'),
  isBlocked: z.boolean().describe('Whether the contractor’s list does not have its destination'),
  scopes: z.array(z.string()),
  connectedAt: z.date(),
  endedAt: z.date().nullable(),
  lastUsedAt: z.date().nullable(),
  requests: z.int().describe('In the last 30 days'),
})

const dateOf = (text: string | null) => (text === null ? null : new Date(text))

/** The programs that people of the contractor connected: all for administrators, for others their own. */
export const listConnections = defineOperation({
  name: 'list_connections',
  title: 'Connections',
  description:
    'Programs that people connected to act for them at the contractor, those that still work first: all for administrators, for others their own.',
  access: 'account',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    items: z.array(Connection),
    allowed: z.array(z.string()).nullable().describe('The only destinations that may be connected; null for any'),
  }),
  example: {
    items: [
      {
        id: EXAMPLE_CONNECTION,
        personId: EXAMPLE_PERSON,
        person: 'Ana Ruiz',
        email: 'ana@example.com',
        role: 'admin',
        client: 'Claude',
        clientId: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
        destination: 'claude.ai',
        isVerified: true,
        isBlocked: false,
        scopes: ['read:customers'],
        connectedAt: new Date('2026-11-20T08:30:00.000Z'),
        endedAt: null,
        lastUsedAt: new Date('2026-11-21T08:30:00.000Z'),
        requests: 41,
      },
    ],
    allowed: null,
  },
  run: async ({ actor }) => {
    const { contractorId, role, personId } = memberOf(actor)
    return await withinContractor((await database()).orm, contractorId, async (tx) => {
      const found = await listGrants(tx, contractorId, role === 'admin' ? undefined : personId)
      const items = found.map(({ connectedAt, endedAt, lastUsedAt, scopes, ...rest }) => ({
        ...rest,
        // The scope that only asks for a refresh token says nothing to people.
        scopes: scopes.filter((scope) => scope.includes(':')),
        connectedAt: new Date(connectedAt),
        endedAt: dateOf(endedAt),
        lastUsedAt: dateOf(lastUsedAt),
      }))
      return { items, allowed: (await allowedDestinations(tx, contractorId)) ?? null }
    })
  },
})
