import { basename } from 'node:path'
import * as z from 'zod'
import { database } from '@/db/client'
import { findMapping } from '@/db/queries/load-mappings'
import { inspectFile, TAKEN } from '@/lib/load/inspect'
import { defineOperation } from '../define'
import { MAPPED } from './fields'

/** A file as it is understood before it is loaded. */
export const InspectedFile = z.object({
  file: z.string(),
  taken: z.enum(TAKEN).describe('What it is taken for'),
  source: z.string().nullable().describe('Such as `Jobber Invoices`'),
  form: z.string().nullable().describe('Encoding, what parts the cells, and where the header is'),
  columns: z.array(
    z.object({
      column: z.string(),
      samples: z.array(z.string()),
      fields: z.array(z.string()).describe('What it fills; empty when it is not read'),
      confidence: z.number().min(0).max(1),
      reason: z.string(),
    }),
  ),
  problem: z.string().nullable().describe('Why it cannot be loaded as it is'),
})

export const AN_INSPECTED: z.output<typeof InspectedFile> = {
  file: 'jobs.xlsx',
  taken: 'guessed',
  source: null,
  form: 'Excel workbook, sheet Jobs.',
  columns: [
    {
      column: 'Cust Ph',
      samples: ['(615) 555-0142'],
      fields: ['customers.phone'],
      confidence: 0.95,
      reason: 'its name says it; 20 of 20 cells are phone numbers',
    },
  ],
  problem: null,
}

/** Says what files of this machine are taken for. */
export const inspectFiles = defineOperation({
  name: 'inspect_files',
  title: 'Inspect files',
  description:
    'Says what files are taken for, and what each of their columns fills, how sure that is and why. Stores nothing.',
  access: 'operator',
  effect: 'read',
  input: z.object({ paths: z.array(z.string().min(1)).min(1).max(100), map: MAPPED.map }).strict(),
  output: z.object({ files: z.array(InspectedFile) }),
  example: { files: [AN_INSPECTED] },
  run: async ({ actor: { contractorId } }, { paths, map }) => {
    const { orm } = await database()
    const kept = (shape: string) => findMapping(orm, contractorId, shape)
    const files = []
    for (const path of paths) files.push(await inspectFile(path, basename(path), { kept, map }))
    return { files }
  },
})
