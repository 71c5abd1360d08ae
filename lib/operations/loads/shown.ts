import * as z from 'zod'
import type { Load as StoredLoad } from '@/db/queries/loads'
import type { LoadReport } from '@/lib/load/report'
import { Instant } from '@/lib/resources/fields'
import { isAsking } from './asking'
import { LOADED, LoadReportOutput } from './fields'

export const SCOPE = 'write:data'

/** The interval at which a running load reports that it is alive, and the time without a report after which it is known to have ended. */
export const ALIVE_MS = 5_000
const LOST_MS = 60_000

const LOST =
  'The process that loaded this file ended before it was done. What it wrote of the file is taken back, at the latest before the next load. Send the file again.'

const Listed = z.object({
  id: z.string(),
  file: z.string(),
  state: z
    .enum(['running', 'done', 'partial', 'refused', 'failed', 'interrupted'])
    .describe(
      '`done`: rows that could not be used are in the report; `partial`: the file was not read to its end, or a complete one deleted ' +
        'nothing; `refused`: no row could be used, or the report has questions to answer first; `failed`: a fault of ours; `interrupted`: the server was stopped, so send it again',
    ),
  complete: z.enum(['count', 'delete']).nullable().describe('As the file was declared'),
  size: z.int().describe('Bytes of the file, not compressed'),
  read: z.int().describe('Rows read so far'),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  error: z.string().nullable().describe('Why the state is another than `done`, and what to do next'),
})

/** A load without its report, and with it. */
export const ListedLoad = Listed.extend({
  counts: LoadReportOutput.shape.files.element.nullable().describe('Of the report, once it has ended'),
})
export const Load = Listed.extend({
  report: LoadReportOutput.nullable().describe('What the loader reports, once it has ended'),
})

const LISTED = {
  id: 'lod_01k9zq2v6n8m4t5c3b7x1w0jd2',
  file: 'customers.csv',
  state: 'done' as const,
  complete: null,
  size: 48_211,
  read: 2,
  createdAt: '2026-11-20T02:30:00.000Z',
  endedAt: '2026-11-20T02:30:01.000Z',
  error: null,
}
const [COUNTS = null] = LOADED.files
export const A_LISTED_LOAD: z.output<typeof ListedLoad> = { ...LISTED, counts: COUNTS }
export const A_LOAD: z.output<typeof Load> = { ...LISTED, report: LOADED }

/** The fields of a load that every answer shows. */
export function shownLoad(load: Omit<StoredLoad, 'report' | 'counts'>, now: Date): z.output<typeof Listed> {
  const isLost = load.state === 'running' && now.getTime() - load.seenAt.getTime() > LOST_MS
  return {
    id: load.id,
    file: load.file,
    state: isLost ? 'interrupted' : load.state,
    complete: load.complete,
    size: load.size,
    read: load.read,
    createdAt: load.createdAt.toISOString(),
    endedAt: (isLost ? load.seenAt : load.endedAt)?.toISOString() ?? null,
    error: isLost ? LOST : load.error,
  }
}

const count = (n: number) => n.toLocaleString('en-US')

/** Returns what a report says about its file as a whole: the same that ends the command with code 1. */
export function outcomeOf(name: string, report: LoadReport): Pick<StoredLoad, 'state' | 'error'> {
  const {
    files: [file],
    stopped,
    questions = [],
  } = report
  if (isAsking(report))
    return {
      state: 'refused',
      error: `Nothing of ${name} was loaded: ${questions.length === 1 ? 'a question has' : `${count(questions.length)} questions have`} to be answered first. Send the file again with \`answers\`, a JSON object of each question’s key and its answer; where a question has no choices, correct the file.`,
    }
  if (stopped || !file)
    return {
      state: 'interrupted',
      error:
        'The server was stopped. The rows so far are loaded. Send the file again: rows that are stored stay as they are.',
    }
  const { rows, refused, problem, removal } = file
  if (problem !== null)
    return rows === refused
      ? { state: 'refused', error: `Nothing of ${file.file} was loaded. ${problem}` }
      : { state: 'partial', error: `${file.file} was not read to its end. ${problem}` }
  if (rows > 0 && rows === refused)
    return {
      state: 'refused',
      error: `Every row of ${file.file} was refused (${count(rows)}). The report names each with its line, field and reason.`,
    }
  if (removal?.refusal)
    return { state: 'partial', error: `${file.file} is loaded, but nothing was deleted. ${removal.refusal}` }
  return { state: 'done', error: null }
}
