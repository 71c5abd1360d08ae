import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { advanceLead, reserveShown, reserveShownDocument } from '@/db/queries/demo'
import { ServiceError } from '@/lib/core/errors'
import { FilterId } from '@/lib/resources/fields'
import { ProjectStatus } from '@/lib/resources/projects'
import { type Context, defineOperation } from '../define'

const Reference = z.string().min(1).max(100)
const Reserved = z.object({ id: FilterId, reference: Reference })

/** Books are the contractor's own; only those of a demonstration are written by us. @throws ServiceError `bad_request` */
export async function requireDemonstration({ actor }: Context): Promise<string> {
  const contractor = await findContractor((await database()).orm, actor.contractorId)
  if (contractor?.demo) return contractor.id
  throw new ServiceError('bad_request', 'This is for demonstration contractors. Load files for others.')
}

/** Gives records of the documentation the ids that are shown there, before their file is loaded. */
export const reserveDemoRecords = defineOperation({
  name: 'reserve_demo_records',
  title: 'Reserve ids of the demonstration',
  description:
    'Gives customers and projects of a demonstration the ids that the documentation shows; a file then fills them in.',
  access: 'operator',
  effect: 'write',
  input: z.object({ records: z.array(z.object({ customer: Reserved, project: Reserved })).max(50) }).strict(),
  output: z.object({ records: z.int() }),
  example: { records: 2 },
  run: async (ctx, { records }) => {
    const contractorId = await requireDemonstration(ctx)
    const { orm } = await database()
    await withinContractor(orm, contractorId, (tx) => reserveShown(tx, contractorId, records))
    return { records: records.length }
  },
})

/** Gives a document of the demonstration the id that is shown there, before its file is loaded. */
export const reserveDemoDocument = defineOperation({
  name: 'reserve_demo_document',
  title: 'Reserve the id of a document',
  description: 'Gives a document of a demonstration the id that the documentation shows; its file then fills it in.',
  access: 'operator',
  effect: 'write',
  input: Reserved.strict(),
  output: z.object({ id: z.string() }),
  example: { id: 'doc_01k9zq4w0000000000000000aa' },
  run: async (ctx, document) => {
    const contractorId = await requireDemonstration(ctx)
    const { orm } = await database()
    await reserveShownDocument(orm, contractorId, document)
    return { id: document.id }
  },
})

/** Moves a lead of a demonstration on, as a contractor's office would in its own books. */
export const advanceDemoLead = defineOperation({
  name: 'settle_demo_lead',
  title: 'Settle a lead of the demonstration',
  description:
    'Gives the project of a demonstration’s lead a status, an amount, its days and a reference that files can name.',
  access: 'operator',
  effect: 'write',
  input: z
    .object({
      projectId: FilterId,
      reference: Reference,
      status: ProjectStatus,
      totalAmount: z.string().regex(/^\d{1,9}\.\d\d$/),
      startDate: z.iso.date().nullable(),
      endDate: z.iso.date().nullable(),
    })
    .strict(),
  output: z.object({ customerReference: z.string() }),
  example: { customerReference: 'C-L-1' },
  run: async (ctx, { projectId, ...outcome }) => {
    const contractorId = await requireDemonstration(ctx)
    const { orm } = await database()
    const customerReference = await withinContractor(orm, contractorId, (tx) =>
      advanceLead(tx, contractorId, projectId, outcome),
    )
    if (customerReference === undefined) throw new ServiceError('not_found', 'There is no project with this id.')
    return { customerReference }
  },
})
