import * as z from 'zod'
import { database } from '@/db/client'
import { storeDemoConnections } from '@/db/queries/demo'
import { READS } from '@/lib/auth/scopes'
import { newId } from '@/lib/core/ids'
import { FilterId } from '@/lib/resources/fields'
import { defineOperation } from '../define'
import { requireDemonstration } from './demonstration'

const DAY_MS = 86_400_000

/** Programs of a demonstration, on hosts that nobody has (RFC 2606). */
const PROGRAMS = [
  { name: 'Office assistant (demonstration)', host: 'assistant.example.com', days: 21 },
  { name: 'Bookkeeping assistant (demonstration)', host: 'books.example.net', days: 9 },
]

/** Connects two programs of a demonstration, as its account would have. They have no tokens, so nobody can use them. */
export const writeDemoConnections = defineOperation({
  name: 'write_demo_connections',
  title: 'Connect the programs of the demonstration',
  description: 'Adds two connections to a demonstration that show what such a connection is. They have no tokens.',
  access: 'operator',
  effect: 'write',
  input: z.object({ personId: FilterId }).strict(),
  output: z.object({ connections: z.int() }),
  example: { connections: 2 },
  run: async (ctx, { personId }) => {
    const contractorId = await requireDemonstration(ctx)
    const programs = PROGRAMS.map(({ name, host, days }) => ({
      id: newId('grant'),
      clientId: `https://${host}/client.json`,
      name,
      destination: host,
      at: new Date(ctx.now.getTime() - days * DAY_MS),
    }))
    await storeDemoConnections((await database()).orm, { contractorId, personId, scopes: [...READS], programs })
    return { connections: programs.length }
  },
})
