import * as z from 'zod'
import type { EntryRecord } from '@/db/queries/entries'
import { cleanText } from '@/lib/core/clean'
import { parseDay } from '@/lib/core/time'
import { FilterId, Instant } from '@/lib/resources/fields'

const LINE_END = /\r\n?/g

/** A text that people read: no control, bidirectional or tag characters but line breaks and tabs. `most` is counted in characters. */
const plainText = (most: number) =>
  z
    .string()
    .overwrite((text) => text.trim().replace(LINE_END, '\n'))
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    .refine((text) => cleanText(text) === text, 'must have no control or invisible characters but line breaks and tabs')

export const NoteText = plainText(2_000)
export const FollowUpText = plainText(500)

/** A calendar day, without a time zone: the contractor's. */
export const CalendarDay = z.string().refine((text) => parseDay(text) !== undefined, 'must be a day such as 2026-11-20')

export const ProjectId = FilterId

export const IdempotencyKey = z
  .string()
  .regex(/^[\w.:-]{8,100}$/, 'must have 8 to 100 letters, digits or . _ : -')
  .describe(
    'New for each write: 8 to 100 letters, digits or . _ : -. A call repeated with the same one writes nothing twice',
  )

/** The answer of a write. None of it is text that the caller gave. */
export const Written = z.object({
  id: z.string(),
  projectId: z.string(),
  createdAt: Instant,
  repeated: z.boolean().describe('True when this idempotency key was used before: this is the first result'),
  undone: z.boolean().describe('True when a person has undone it since'),
})

/** The answer of a write that is stored. */
export const entryAnswer = ({ id, projectId, createdAt, undoneAt }: EntryRecord, repeated: boolean) => ({
  id,
  projectId,
  createdAt: createdAt.toISOString(),
  repeated,
  undone: undoneAt !== null,
})

/** A note or a follow-up as people see it. */
export const Entry = z.object({
  id: z.string(),
  kind: z.enum(['note', 'follow_up']),
  text: z.string().nullable(),
  followUpOn: z.string().nullable().describe('A day in the contractor’s calendar'),
  inForce: z.boolean().describe('Not undone; of follow-ups only the latest one is'),
  authorKind: z.enum(['key', 'person', 'operator']),
  authorName: z.string().describe('The name of the key that was used, or of the person'),
  createdAt: z.date(),
  undoneAt: z.date().nullable(),
  undoneBy: z.string().nullable(),
})

export const WRITTEN = {
  id: 'nte_01k9zq4w0000000000000000aa',
  projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
  createdAt: '2026-11-20T15:04:05.120Z',
  repeated: false,
  undone: false,
}
