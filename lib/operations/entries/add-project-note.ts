import * as z from 'zod'
import { defineOperation } from '../define'
import { entryAnswer, IdempotencyKey, NoteText, ProjectId, WRITTEN, Written } from './fields'
import { writeEntry } from './write'

/** Adds a note to a project; people see who wrote it and can undo it. */
export const addProjectNote = defineOperation({
  name: 'add_project_note',
  title: 'Add a project note',
  description:
    'Adds a note to a project, where people see it under the name of the key and can undo it. Only call it when the user asks for a note. ' +
    'Nothing of the books changes.',
  access: 'write:notes',
  effect: 'write',
  input: z
    .object({
      projectId: ProjectId.describe('As find_records gives it'),
      text: NoteText.describe('Plain text, at most 2,000 characters'),
      idempotencyKey: IdempotencyKey,
    })
    .strict(),
  output: Written,
  example: WRITTEN,
  tool: {
    category: 'projects',
    example: {
      projectId: WRITTEN.projectId,
      text: 'Customer prefers calls after 4 pm; the gate code has changed.',
      idempotencyKey: 'note-2026-11-20-gate',
    },
  },
  run: async (ctx, { projectId, text, idempotencyKey }) => {
    const wanted = { kind: 'note', projectId, text, followUpOn: null, idempotencyKey } as const
    const { entry, repeated } = await writeEntry(ctx, wanted, () => {})
    return entryAnswer(entry, repeated)
  },
})
