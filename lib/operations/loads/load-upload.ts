import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { FILES } from '@/lib/load/kinds'
import { receiveUpload } from '@/lib/load/upload'
import { defineOperation } from '../define'
import { withoutCommand } from './asking'
import { Body, DRY_RUN, FOLLOWED, LOADED, LoadReportOutput } from './fields'
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
