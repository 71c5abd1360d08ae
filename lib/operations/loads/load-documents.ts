import * as z from 'zod'
import { database } from '@/db/client'
import { operatorOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { PUBLIC_OWNER } from '@/lib/knowledge/retrieval/document'
import { loadDocuments as load } from '@/lib/knowledge/retrieval/load-documents'
import { defineOperation } from '../define'

/** Loads documents for search: a contractor's, or public ones. */
export const loadDocuments = defineOperation({
  name: 'load_documents',
  title: 'Load documents',
  description: 'Loads Markdown, text, HTML and PDF files of this machine, or folders of them, to be searched.',
  access: 'operator',
  effect: 'write',
  input: z
    .object({
      paths: z.array(z.string().min(1)).min(1),
      isPublic: z.boolean().default(false).describe('Every contractor may read them'),
      prune: z.boolean().default(false).describe('Removes documents of the folders whose files are gone'),
    })
    .strict(),
  output: z.object({
    files: z.int(),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    refused: z.array(z.object({ file: z.string(), reason: z.string() })),
    refusedCount: z.int(),
    ignored: z.record(z.string(), z.int()).describe('Files that no reader reads, by ending'),
    milliseconds: z.int(),
  }),
  example: {
    files: 3,
    added: 2,
    updated: 0,
    unchanged: 1,
    removed: 0,
    refused: [],
    refusedCount: 0,
    ignored: { '.jpg': 4 },
    milliseconds: 800,
  },
  run: async ({ actor }, { paths, isPublic, prune }) => {
    const by = operatorOf(actor)
    const db = await database()
    const report = await load(db, isPublic ? PUBLIC_OWNER : by.contractorId, paths, { prune })
    const { files, added, updated, removed, refusedCount: refused } = report
    await audit(db.orm, by, {
      event: 'data_loaded',
      subject: 'documents',
      contractorId: isPublic ? null : by.contractorId,
      detail: { files, added, updated, removed, refused },
    })
    return report
  },
})
