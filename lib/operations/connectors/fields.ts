import * as z from 'zod'
import { CONNECTOR_NAMES } from '@/lib/connectors/connector'

/** The software's name. */
export const ConnectorInput = z.enum(CONNECTOR_NAMES)

const Counts = z.object({
  rows: z.int(),
  added: z.int(),
  updated: z.int(),
  deleted: z.int(),
  refused: z.int(),
  unnumbered: z.int().optional().describe('Rows without a number there: their number here is `QBO-` and their id'),
})

export const Run = z.object({
  id: z.string(),
  kind: z.enum(['full', 'changes']).describe('`full`: everything was read; `changes`: what changed'),
  state: z.enum(['running', 'done', 'failed', 'ended']),
  read: z.int().describe('Objects read'),
  counts: z.record(z.string(), Counts).describe('By resource'),
  faults: z.array(z.object({ object: z.string(), reason: z.string() })).describe('The first objects that were refused'),
  faultCount: z.int(),
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})

/** The states of a connection as a person sees them: one word for which of several things it is doing or waiting for. */
export const STATES = [
  'off',
  'none',
  'syncing',
  'current',
  'throttled',
  'failing',
  'reconnect',
  'disconnected',
] as const

export const Connection = z.object({
  connector: ConnectorInput,
  title: z.string(),
  state: z
    .enum(STATES)
    .describe(
      '`off`: settings are missing; `none`: nobody has connected; `syncing`: everything is read; `current`: changes are followed',
    ),
  missing: z.array(z.string()).describe('Settings that are missing'),
  callback: z.string().describe('The redirect URI to enter at the vendor'),
  webhook: z.string().describe('Where the vendor posts changes'),
  company: z.string().nullable(),
  companyName: z.string().nullable(),
  environment: z.string().nullable(),
  error: z.string().nullable().describe('What the last attempt said, while it fails'),
  syncedAt: z.iso.datetime().nullable().describe('Up to when what is stored is what is there'),
  throttledUntil: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable(),
  connectedBy: z.string().nullable(),
  connectedAt: z.iso.datetime().nullable(),
  reconnectBy: z.iso.datetime().nullable().describe('When the connection ends if nothing uses it'),
  records: z.record(z.string(), z.int()).describe('Records that came from there, by resource'),
  runs: z.array(Run),
})

export const AN_EXAMPLE: z.output<typeof Connection> = {
  connector: 'quickbooks',
  title: 'QuickBooks Online',
  state: 'current',
  missing: [],
  callback: 'https://portal.example.com/data/quickbooks/callback',
  webhook: 'https://api.example.com/api/webhooks/quickbooks',
  company: '4620816365',
  companyName: 'Whitfield Roofing',
  environment: 'production',
  error: null,
  syncedAt: '2026-11-20T12:00:00.000Z',
  throttledUntil: null,
  nextAt: '2026-11-20T12:15:00.000Z',
  connectedBy: 'Ana Ruiz',
  connectedAt: '2026-11-19T09:00:00.000Z',
  reconnectBy: '2027-02-27T09:00:00.000Z',
  records: { customers: 120, invoices: 800 },
  runs: [],
}
