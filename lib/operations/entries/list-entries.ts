import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { type EntryRecord, entriesOf } from '@/db/queries/entries'
import { defineOperation } from '../define'
import { Entry, ProjectId } from './fields'

/** The number of a kind that a page shows. */
const MOST = 50

const EXAMPLE: z.output<typeof Entry> = {
  id: 'nte_01k9zq4w0000000000000000aa',
  kind: 'note',
  text: 'Customer prefers calls after 4 pm.',
  followUpOn: null,
  inForce: true,
  authorKind: 'key',
  authorName: 'Office assistant',
  createdAt: new Date('2026-11-20T15:04:05.120Z'),
  undoneAt: null,
  undoneBy: null,
}

function entryOf(entry: EntryRecord, inForce: boolean): z.output<typeof Entry> {
  const { id, kind, text, followUpOn, authorKind, authorName, createdAt, undoneAt, undoneBy } = entry
  return { id, kind, text, followUpOn, inForce, authorKind, authorName, createdAt, undoneAt, undoneBy }
}

/** Lists the notes and follow-ups on a project, newest first, those undone too. */
export const listEntries = defineOperation({
  name: 'list_entries',
  title: 'Notes and follow-ups',
  description: `The notes and follow-ups that were written on a project, newest first, those undone too; at most ${MOST} of each.`,
  access: 'read:projects',
  effect: 'read',
  input: z.object({ projectId: ProjectId }).strict(),
  output: z.object({ notes: z.array(Entry), followUps: z.array(Entry) }),
  example: { notes: [EXAMPLE], followUps: [] },
  run: async ({ actor: { contractorId } }, { projectId }) => {
    const query = { contractorId, projectId, limit: MOST, withUndone: true }
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      const notes = await entriesOf(orm, { ...query, kind: 'note' })
      const followUps = await entriesOf(orm, { ...query, kind: 'follow_up' })
      const latest = followUps.find(({ undoneAt }) => undoneAt === null)
      return {
        notes: notes.map((note) => entryOf(note, note.undoneAt === null)),
        followUps: followUps.map((each) => entryOf(each, each === latest)),
      }
    })
  },
})
