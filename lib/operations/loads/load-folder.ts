import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { FILES } from '@/lib/load/kinds'
import { receiveUpload } from '@/lib/load/receive'
import { acquireLoadTurn } from '@/lib/load/turn'
import { defineOperation } from '../define'
import { withoutCommand } from './asking'
import { Body, DRY_RUN, FOLLOWED, LOADED, LoadReportOutput, MAPPED } from './fields'
import { loadFor } from './load-for'

/** Receives an uploaded CSV file and loads it. */
export const loadUpload = defineOperation({
  name: 'load_upload',
  title: 'Load an upload',
  description: 'Takes one CSV file, streamed to disk, and loads it; one at a time for a contractor.',
  access: 'admin',
  effect: 'write',
  input: z.object({ file: z.enum(FILES), body: Body, ...DRY_RUN, ...FOLLOWED }).strict(),
  output: LoadReportOutput,
  example: LOADED,
  run: async ({ actor }, { file, body, ...options }) => {
    const upload = await receiveUpload(actor.contractorId, file, body)
    try {
      return withoutCommand(await loadFor(personOf(actor), upload.folder, options))
    } finally {
      await upload.release()
    }
  },
})

/** Loads a local folder into a contractor's data. */
export const loadFolder = defineOperation({
  name: 'load_folder',
  title: 'Load a folder',
  description:
    'Loads the CSV files of a folder on this machine. A second load changes nothing; a changed row is an update; a row that cannot be used is reported. Complete files delete what they no longer have.',
  access: 'operator',
  effect: 'write',
  input: z.object({ folder: z.string().min(1), ...DRY_RUN, ...FOLLOWED, ...MAPPED }).strict(),
  output: LoadReportOutput,
  example: LOADED,
  run: async ({ actor }, { folder, ...options }) => {
    const giveBack = await acquireLoadTurn(actor.contractorId)
    try {
      return await loadFor(personOf(actor), folder, options)
    } finally {
      await giveBack()
    }
  },
})
