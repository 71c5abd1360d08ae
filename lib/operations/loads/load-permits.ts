import * as z from 'zod'
import { database } from '@/db/client'
import { operatorOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { loadPermits as load, PERMIT_FORMATS } from '@/lib/load/permits/load'
import { defineOperation } from '../define'
import { FOLLOWED, LOADED, LoadReportOutput } from './fields'

const Loaded = z.object({
  permits: z.int(),
  firstApplied: z.string().nullable(),
  lastApplied: z.string().nullable(),
  withIssued: z.int(),
  withCoordinates: z.int(),
})

/** Loads a jurisdiction's permits, which every contractor may read. */
export const loadPermits = defineOperation({
  name: 'load_permits',
  title: 'Load permits',
  description: 'Loads a jurisdiction’s permit history from a CSV file on this machine.',
  access: 'operator',
  effect: 'write',
  input: z
    .object({
      jurisdiction: z.string().describe('Such as us-tn-nashville'),
      format: z.enum(PERMIT_FORMATS),
      map: z.string().optional().describe('The path of a mapping file'),
      path: z.string().min(1),
      ...FOLLOWED,
    })
    .strict(),
  output: LoadReportOutput.extend({
    jurisdiction: z.string(),
    loaded: Loaded.nullable().describe('What is loaded of the jurisdiction now'),
  }),
  example: { ...LOADED, jurisdiction: 'us-tn-nashville', loaded: null },
  run: async ({ actor }, { map, onProgress, signal, ...file }) => {
    const db = await database()
    const report = await load(db, { ...file, map }, { onProgress, signal })
    for (const { file: name, rows, added, updated, refused } of report.files)
      await audit(db.orm, operatorOf(actor), {
        event: 'data_loaded',
        subject: name,
        contractorId: null,
        detail: { jurisdiction: file.jurisdiction, rows, added, updated, refused, isWhole: !report.stopped },
      })
    return report
  },
})
