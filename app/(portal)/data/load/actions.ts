'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { COUNTRIES } from '@/lib/core/country'
import { ServiceError } from '@/lib/core/errors'
import { stopping } from '@/lib/core/stopping'
import { FILES } from '@/lib/load/kinds'
import { changeContractor } from '@/lib/operations/contractors/settings'
import { execute } from '@/lib/operations/execute'
import { dropDraftFile, inspectDraft } from '@/lib/operations/loads/draft'
import { loadUpload } from '@/lib/operations/loads/load-folder'
import { undoLoad } from '@/lib/operations/loads/undo-load'
import type { FormResult } from '@/lib/portal/form-result'
import type { HeldFile, LoadEvent } from '@/lib/portal/load-events'
import { type Answers, answersIn } from '@/lib/portal/load-questions'
import { completeOf } from './complete'

function refuse(message: string): never {
  throw new ServiceError('bad_request', message, { fields: [{ field: 'files', message }] })
}

/** Returns a form's files in load order. @throws ServiceError `bad_request` when one has no known name */
function filesOf(form: FormData): { name: (typeof FILES)[number]; file: File }[] {
  const files = form.getAll('files').filter((each): each is File => each instanceof File && each.name !== '')
  if (files.length === 0) refuse('Choose at least one file.')
  const strange = files.map(({ name }) => name).filter((name) => !FILES.some((known) => known === name.toLowerCase()))
  if (strange.length > 0)
    refuse(`${strange.join(', ')}: unknown file names. Rename the files to one of ${FILES.join(', ')}.`)
  return FILES.flatMap((name) =>
    files.filter((file) => file.name.toLowerCase() === name).map((file) => ({ name, file })),
  )
}

/** What came of a form without script, and what was answered in it. */
export type PlainLoad = { events: LoadEvent[]; answers: Answers }

/** Loads the files of a form submitted without script, up to the first that has questions. With script, they are held and loaded together. */
export const loadAction = contractorAction(z.object({}), async (actor, __, form): Promise<FormResult<PlainLoad>> => {
  const answers = answersIn(form)
  const events: LoadEvent[] = []
  const files = filesOf(form)
  // What is to be deleted from later files belongs to records of earlier ones.
  if (form.get('complete') === 'delete') files.reverse()
  for (const { name, file } of files) {
    const input = { file: name, body: file.stream(), signal: stopping(), complete: completeOf(form), answers }
    const { milliseconds: _, stopped, ...report } = await execute(loadUpload, { actor, now: new Date() }, input)
    if (stopped)
      throw new ServiceError(
        'busy',
        'The server is stopping. Load the files again: rows already loaded stay as they are.',
      )
    events.push({ step: 'done', ...report })
    if (report.questions) break
  }
  revalidatePath('/data', 'layout')
  return { ok: true, data: { events, answers } }
})

const Draft = z.object({ draft: z.string(), drop: z.string().optional() })

/** Says what the files of a draft are taken for, after taking one out where that is asked. */
export const inspectAction = contractorAction(
  Draft,
  async (actor, { draft, drop }): Promise<FormResult<HeldFile[]>> => {
    const caller = { actor, now: new Date() }
    if (drop !== undefined) await execute(dropDraftFile, caller, { draft, file: drop })
    const { files } = await execute(inspectDraft, caller, { draft })
    return { ok: true, data: files }
  },
)

/** Sets the country by which files are read. */
export const countryAction = contractorAction(
  z.object({ country: z.string() }),
  async (actor, { country }): Promise<FormResult> => {
    const known = COUNTRIES.find((each) => each === country) ?? null
    await execute(changeContractor, { actor, now: new Date() }, { country: known })
    revalidatePath('/data/load')
    return { ok: true, message: 'Saved. The next files are read by it.' }
  },
)

/** Takes the last load back. */
export const undoAction = contractorAction(
  z.object({ load: z.string() }),
  async (actor, { load }): Promise<FormResult> => {
    const { removed, putBack, restored } = await execute(undoLoad, { actor, now: new Date() }, { load })
    revalidatePath('/data', 'layout')
    return { ok: true, message: `Taken back: ${removed} records removed, ${putBack} put back, ${restored} restored.` }
  },
)
