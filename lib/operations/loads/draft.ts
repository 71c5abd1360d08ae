import { join } from 'node:path'
import * as z from 'zod'
import { database } from '@/db/client'
import type { LoadDraft } from '@/db/queries/load-drafts'
import { findMapping } from '@/db/queries/load-mappings'
import { type Actor, personOf } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { addToDraft, dropFromDraft, filesIn, findDraft } from '@/lib/load/draft'
import type { Holder } from '@/lib/load/draft-bytes'
import { type Laid, readDraftText, storeRefusedRows, withDraftFiles } from '@/lib/load/draft-bytes'
import { DRAFT_LIMITS } from '@/lib/load/draft-limits'
import { inspectFile } from '@/lib/load/inspect'
import { Refusals, refusedName } from '@/lib/load/refused'
import { acquireLoadTurn } from '@/lib/load/turn'
import { defineOperation } from '../define'
import { isAsking, withoutCommand } from './asking'
import { Body, DRY_RUN, FOLLOWED, LOADED, LoadReportOutput, MAPPED } from './fields'
import { AN_INSPECTED, InspectedFile } from './inspect-files'
import { loadFor } from './load-for'

const DraftId = z.string().min(1).max(64).describe('The draft, as `add_draft_file` returned it')
const File = z.string().min(1).max(150)
const Held = z.object({ draft: z.string(), files: z.array(z.string()) })
const A_DRAFT = { draft: 'drf_01k9zq2v6n8m4t5c3b7x1w0jd2', files: ['jobs.xlsx'] }

const holderOf = async ({ contractorId }: Actor): Promise<Holder> => ({ db: await database(), contractorId })

/** Receives a file that is looked at before it is loaded. */
export const addDraftFile = defineOperation({
  name: 'add_draft_file',
  title: 'Add a file to a draft',
  description: 'Takes a file of any columns and holds it for a day until it is loaded. Loads nothing.',
  access: 'admin',
  effect: 'write',
  input: z.object({ draft: DraftId.optional(), file: File, body: Body }).strict(),
  output: Held,
  example: A_DRAFT,
  run: async ({ actor }, { draft, file, body }) => {
    const holder = await holderOf(actor)
    const { id } = await addToDraft(holder, draft, file, body)
    return { draft: id, files: await filesIn(holder, id) }
  },
})

/** Takes a file out of a draft. */
export const dropDraftFile = defineOperation({
  name: 'drop_draft_file',
  title: 'Take a file out of a draft',
  description: 'Takes a file out of a draft, so that it is not loaded.',
  access: 'admin',
  effect: 'write',
  input: z.object({ draft: DraftId, file: File }).strict(),
  output: Held,
  example: A_DRAFT,
  run: async ({ actor }, { draft, file }) => {
    const holder = await holderOf(actor)
    const { id } = await findDraft(holder, draft)
    await dropFromDraft(holder, id, { file, role: 'dropped' })
    return { draft, files: await filesIn(holder, id) }
  },
})

/** Says what the files of a draft are taken for. */
export const inspectDraft = defineOperation({
  name: 'inspect_draft',
  title: 'Inspect a draft',
  description:
    'Says what the files of a draft are taken for, and what each of their columns fills, how sure that is and why.',
  access: 'admin',
  effect: 'read',
  input: z.object({ draft: DraftId }).strict(),
  output: z.object({ files: z.array(InspectedFile) }),
  example: { files: [AN_INSPECTED] },
  run: async ({ actor }, { draft }) => {
    const holder = await holderOf(actor)
    const { id } = await findDraft(holder, draft)
    const kept = (shape: string) => findMapping(holder.db.orm, holder.contractorId, shape)
    return await withDraftFiles(holder, id, async (laid) => {
      const files = []
      for (const file of await filesIn(holder, id))
        files.push(await inspectFile(join(laid.files, file), file, { kept }))
      return { files }
    })
  },
})

/** Loads the files of a draft, or says what that would do. */
export const loadDraft = defineOperation({
  name: 'load_draft',
  title: 'Load a draft',
  description:
    'Loads the files of a draft together, as a folder. A dry run, or a report with questions, writes nothing and keeps them; a load that was stopped leaves nothing. Rows that were refused are kept as CSV with the reason.',
  access: 'admin',
  effect: 'write',
  input: z.object({ draft: DraftId, ...DRY_RUN, ...FOLLOWED, ...MAPPED }).strict(),
  output: LoadReportOutput.extend({ refused: z.array(z.string()).describe('The files of which rows were refused') }),
  example: { ...LOADED, refused: [] },
  run: async ({ actor }, { draft, ...options }) => {
    const giveBack = await acquireLoadTurn(actor.contractorId)
    try {
      const holder = await holderOf(actor)
      const held = await findDraft(holder, draft)
      if ((await filesIn(holder, held.id)).length === 0)
        throw new ServiceError('bad_request', 'There is no file to load. Drop one first.')
      const report = await withDraftFiles(holder, held.id, async (laid) => {
        const refusals = new Refusals()
        const followed = { ...options, isWhole: true, onFault: refusals.note.bind(refusals) }
        const done = withoutCommand(await loadFor(personOf(actor), laid.files, followed))
        const refused = done.stopped || isAsking(done) ? [] : await storeRefusedDelivery(holder, held, refusals, laid)
        return { ...done, refused }
      })
      if (!options.dryRun && !report.stopped && !isAsking(report))
        await dropFromDraft(holder, held.id, { role: 'dropped' })
      return report
    } finally {
      await giveBack()
    }
  },
})

/** Holds the rows that were refused. @returns the names of their files; none when they cannot be held */
async function storeRefusedDelivery(
  holder: Holder,
  held: LoadDraft,
  refusals: Refusals,
  laid: Laid,
): Promise<string[]> {
  try {
    const refused = await refusals.write(laid.files, laid.refused)
    await storeRefusedRows(holder, held, laid.refused, {
      ofFile: DRAFT_LIMITS.people.mostBytes,
      ...DRAFT_LIMITS.people,
    })
    return refused
  } catch (fault) {
    // The rows are loaded or looked at, and the report names the refused ones.
    logFault({ operation: 'load_draft' }, fault)
    return []
  }
}

/** The refused rows of a draft's file, to be corrected. */
export const getRefusedRows = defineOperation({
  name: 'get_refused_rows',
  title: 'Get refused rows',
  description: 'The rows of a file of a draft that the last look or load refused, as CSV with a column that says why.',
  access: 'admin',
  effect: 'read',
  input: z.object({ draft: DraftId, file: File }).strict(),
  output: z.object({ name: z.string(), csv: z.string() }),
  example: { name: 'jobs.xlsx.refused.csv', csv: 'Customer,Refused because\nAna Lopez,Date is required\n' },
  run: async ({ actor }, { draft, file }) => {
    const holder = await holderOf(actor)
    const { id } = await findDraft(holder, draft)
    const name = refusedName(file)
    const csv = await readDraftText(holder, id, name, 'refused')
    if (csv !== undefined) return { name, csv }
    throw new ServiceError('not_found', 'No rows of this file were refused, or they are no longer held.')
  },
})
