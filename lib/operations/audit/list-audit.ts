import { z } from 'zod'
import { database, withinContractor } from '@/db/client'
import { listAudit as auditPage } from '@/db/queries/audit'
import { AUDIT_EVENTS, type AuditEvent } from '@/lib/auth/audit'
import { pageOf } from '@/lib/core/page-of'
import { defineOperation } from '../define'

const EVENTS = Object.keys(AUDIT_EVENTS).filter((name): name is AuditEvent => name in AUDIT_EVENTS)

const Entry = z.object({
  id: z.string(),
  at: z.date(),
  actorName: z.string(),
  event: z.string().describe('What happened; also of events that are no longer written'),
  subject: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  address: z.string().nullable(),
})

const EXAMPLE: z.output<typeof Entry> = {
  id: 'aud_01k9zq2v6n8m4t5c3b7x1w0jd2',
  at: new Date('2026-11-20T08:30:00.000Z'),
  actorName: 'Ana Ruiz <ana@example.com>',
  event: 'key_created',
  subject: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
  detail: { name: 'Accounting sync' },
  address: '203.0.113.9',
}

/** Who changed what for the contractor. */
export const listAudit = defineOperation({
  name: 'list_audit',
  title: 'Audit log',
  description: 'Who changed what for the contractor, and from where, newest first.',
  access: 'admin',
  effect: 'read',
  input: z
    .object({
      event: z.enum(EVENTS).optional(),
      before: z.string().max(50).optional().describe('next of a page: what follows it'),
      after: z.string().max(50).optional().describe('previous of a page: what leads to it'),
      limit: z.int().min(1).max(100).default(50),
    })
    .strict(),
  output: z.object({ items: z.array(Entry), previous: z.string().nullable(), next: z.string().nullable() }),
  example: { items: [EXAMPLE], previous: null, next: null },
  run: async ({ actor: { contractorId } }, { limit, ...query }) => {
    const found = await withinContractor((await database()).orm, contractorId, (orm) =>
      auditPage(orm, { contractorId, ...query, limit: limit + 1 }),
    )
    return pageOf(found, limit, query)
  },
})
