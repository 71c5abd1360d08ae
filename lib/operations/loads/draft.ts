import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { database } from '@/db/client'
import { findMapping } from '@/db/queries/load-mappings'
import { personOf } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { addToDraft, dropFromDraft, filesIn, findDraft } from '@/lib/load/draft'
import { inspectFile } from '@/lib/load/inspect'
import { Refusals, refusedName } from '@/lib/load/refused'
import { takeLoadTurn } from '@/lib/load/turn'
import { defineOperation } from '../define'
import { Body, DRY_RUN, FOLLOWED, LOADED, LoadReportOutput, MAPPED } from './fields'
import { AN_INSPECTED, InspectedFile } from './inspect-files'
import { loadFor } from './load-for'

const DraftId = z.string().min(1).max(64).describe('The draft, as `add_draft_file` returned it')
const File = z.string().min(1).max(150)
const Held = z.object({ draft: z.string(), files: z.array(z.string()) })
const A_DRAFT = { draft: '5f0c6c3a8e5b4f6f9d1f2a7b3c4d5e6f', files: ['jobs.xlsx'] }

/** Receives a file that is looked at before it is loaded. */
export const addDraftFile = defineOperation({
  name: 'add_draft_file',
  title: 'Add a file to a draft',
  description:
    'Takes a file of any columns, streamed to disk, and holds it for a day until it is loaded. Loads nothing.',
  access: 'admin',
  effect: 'write',
  input: z.object({ draft: DraftId.optional(), file: File, body: Body }).strict(),
  output: Held,
  example: A_DRAFT,
  run: async ({ actor: { contractorId } }, { draft, file, body }) => {
    const held = await addToDraft(contractorId, draft, file, body)
    return { draft: held.id, files: await filesIn(held) }
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
  run: async ({ actor: { contractorId } }, { draft, file }) => {
    const held = await findDraft(contractorId, draft)
    await dropFromDraft(held, file)
    return { draft, files: await filesIn(held) }
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
  run: async ({ actor: { contractorId } }, { draft }) => {
    const held = await findDraft(contractorId, draft)
    const { orm } = await database()
    const kept = (shape: string) => findMapping(orm, contractorId, shape)
    const files = []
    for (const file of await filesIn(held)) files.push(await inspectFile(join(held.files, file), file, { kept }))
    return { files }
  },
})

/** Loads the files of a draft, or says what that would do. */
export const loadDraft = defineOperation({
  name: 'load_draft',
  title: 'Load a draft',
  description:
    'Loads the files of a draft together, as a folder. A dry run writes nothing and keeps them; a load that was stopped leaves nothing. Rows that were refused are kept as CSV with the reason.',
  access: 'admin',
  effect: 'write',
  input: z.object({ draft: DraftId, ...DRY_RUN, ...FOLLOWED, ...MAPPED }).strict(),
  output: LoadReportOutput.extend({ refused: z.array(z.string()).describe('The files of which rows were refused') }),
  example: { ...LOADED, refused: [] },
  run: async ({ actor }, { draft, ...options }) => {
    const giveBack = await takeLoadTurn(actor.contractorId)
    try {
      const held = await findDraft(actor.contractorId, draft)
      if ((await filesIn(held)).length === 0)
        throw new ServiceError('bad_request', 'There is no file to load. Drop one first.')
      const refusals = new Refusals()
      const followed = { ...options, isWhole: true, onFault: refusals.note.bind(refusals) }
      const report = await loadFor(personOf(actor), held.files, followed)
      const refused = await refusals.write(held.files, held.refused).catch((fault) => {
        // The rows are loaded or looked at, and the report names the refused ones.
        logFault({ operation: 'load_draft' }, fault)
        return []
      })
      if (!options.dryRun && !report.stopped)
        for (const file of await filesIn(held)) await rm(join(held.files, file), { force: true })
      return { ...report, refused }
    } finally {
      await giveBack()
    }
  },
})

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
  run: async ({ actor: { contractorId } }, { draft, file }) => {
    const { refused } = await findDraft(contractorId, draft)
    const name = refusedName(file)
    const csv = /[/\\]/.test(file) ? undefined : await readFile(join(refused, name), 'utf8').catch(() => undefined)
    if (csv !== undefined) return { name, csv }
    throw new ServiceError('not_found', 'No rows of this file were refused, or they are no longer held.')
  },
})
