import * as z from 'zod'
import { type Database, database, withinContractor } from '@/db/client'
import { listAudit as auditPage } from '@/db/queries/audit'
import { namesOf } from '@/db/queries/browse'
import { CONTRACTOR_EVENTS } from '@/lib/auth/audit'
import { pageOf } from '@/lib/core/page-of'
import { defineOperation } from '../define'

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

/** The tables whose rows entries are about, each with the beginning of its ids and the column that has the name. */
const NAMED = [
  { prefix: 'prj_', table: 'projects', column: 'name' },
  { prefix: 'dlv_', table: 'lead_deliveries', column: 'lead_name' },
] as const

/** Returns the names of the projects and deliveries that some entries are about, by id. */
async function namesFor(db: Database, contractorId: string, subjects: (string | null)[]) {
  const found = await Promise.all(
    NAMED.map(async ({ prefix, table, column }) => {
      const ids = [...new Set(subjects.filter((subject) => subject?.startsWith(prefix)))].filter((id) => id !== null)
      return ids.length === 0 ? [] : namesOf(db, { table }, column, { contractorId, ids })
    }),
  )
  return Object.fromEntries(found.flat().flatMap(({ id, name }) => (name ? [[id, name]] : [])))
}

/** Lists who changed what for the contractor. */
export const listAudit = defineOperation({
  name: 'list_audit',
  title: 'Audit log',
  description: 'Who changed what for the contractor, and from where, newest first.',
  access: 'admin',
  effect: 'read',
  input: z
    .object({
      event: z.enum(CONTRACTOR_EVENTS).optional(),
      before: z.string().max(50).optional().describe('next of a page: what follows it'),
      after: z.string().max(50).optional().describe('previous of a page: what leads to it'),
      limit: z.int().min(1).max(100).default(50),
    })
    .strict(),
  output: z.object({
    items: z.array(Entry),
    names: z
      .record(z.string(), z.string())
      .describe('What the projects and deliveries are called that entries are about, by id'),
    previous: z.string().nullable(),
    next: z.string().nullable(),
  }),
  example: { items: [EXAMPLE], names: {}, previous: null, next: null },
  run: async ({ actor: { contractorId } }, { limit, ...query }) => {
    const db = await database()
    const found = await withinContractor(db.orm, contractorId, (orm) =>
      auditPage(orm, { contractorId, ...query, limit: limit + 1 }),
    )
    const page = pageOf(found, limit, query)
    const subjects = page.items.map(({ subject }) => subject)
    return { ...page, names: await namesFor(db, contractorId, subjects) }
  },
})
