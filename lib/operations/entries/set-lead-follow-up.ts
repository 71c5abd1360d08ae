import * as z from 'zod'
import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { ServiceError } from '@/lib/core/errors'
import { dayIn } from '@/lib/core/time'
import { defineOperation } from '../define'
import { CalendarDay, entryAnswer, FollowUpText, IdempotencyKey, ProjectId, WRITTEN, Written } from './fields'
import { writeEntry } from './write'

/** A lead that was quoted is followed up until it is sold. */
const OPEN = ['lead', 'estimate']
const MOST_YEARS = 5

function refuse(field: string, message: string): never {
  throw new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })
}

/** Checks that a day is neither over nor far away. @throws ServiceError `bad_request` */
function requireNear(day: string, today: string): void {
  const last = `${Number(today.slice(0, 4)) + MOST_YEARS}${today.slice(4)}`
  if (day < today) refuse('date', `is over; today is ${today} in the contractor’s calendar`)
  if (day > last) refuse('date', `must be on or before ${last}`)
}

/** Sets the day on which to follow up on a lead; the follow-up before it is no longer in force. */
export const setLeadFollowUp = defineOperation({
  name: 'set_lead_follow_up',
  title: 'Set a lead’s follow-up',
  description:
    'Sets the day to follow up on a lead (a project in status lead or estimate), in place of the day set before. People see it under the ' +
    'name of the key and can undo it. Only call it when the user asks for it.',
  access: 'write:tasks',
  effect: 'write',
  input: z
    .object({
      projectId: ProjectId.describe('Of the lead, as find_records gives it'),
      date: CalendarDay.describe('Today or later in the contractor’s calendar, such as 2026-12-01'),
      text: FollowUpText.optional().describe('What to do, at most 500 characters'),
      idempotencyKey: IdempotencyKey,
    })
    .strict(),
  output: Written.extend({
    date: z.string(),
    replaces: z.string().nullable().describe('The id of the follow-up that was in force before'),
  }),
  example: { ...WRITTEN, id: 'fup_01k9zq4w0000000000000000aa', date: '2026-12-01', replaces: null },
  tool: {
    category: 'leads',
    replaces: true,
    example: {
      projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2',
      date: '2029-01-15',
      text: 'Ask whether the estimate was received.',
      idempotencyKey: 'follow-up-2029-01-15',
    },
  },
  run: async (ctx, { projectId, date, text, idempotencyKey }) => {
    const contractor = await findContractor((await database()).orm, ctx.actor.contractorId)
    if (!contractor) throw new ServiceError('not_found', 'This contractor is gone.')
    const wanted = { kind: 'follow_up', projectId, text: text ?? null, followUpOn: date, idempotencyKey } as const
    const { entry, repeated } = await writeEntry(ctx, wanted, ({ status }) => {
      requireNear(date, dayIn(contractor.timezone, ctx.now))
      if (!OPEN.includes(status))
        refuse(
          'projectId',
          `is of a project in status ${status}; a follow-up is for leads. For other projects use add_project_note`,
        )
    })
    return { ...entryAnswer(entry, repeated), date, replaces: entry.replaces }
  },
})
