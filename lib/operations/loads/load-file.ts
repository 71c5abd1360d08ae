import { rm } from 'node:fs/promises'
import * as z from 'zod'
import { database } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import { stopping } from '@/lib/core/stopping'
import { INGEST } from '@/lib/core/uploads'
import { fullDiskFault } from '@/lib/load/full-disk'
import { holdProcessForLoad } from '@/lib/load/hold'
import { FILES } from '@/lib/load/kinds'
import { MOST_PERCENT } from '@/lib/load/missing'
import { forgetUpload, rangeOf, storedBytes, storePart, type Upload } from '@/lib/load/parts'
import { type Receiving, receiveFile, tooLarge, type Uploaded } from '@/lib/load/receive'
import type { Complete } from '@/lib/load/report'
import { acquireLoadTurn } from '@/lib/load/turn'
import { type Context, defineOperation } from '../define'
import { AnswersText, isAsking, unanswered } from './asking'
import { beginLoad, logLoadFault } from './record-load'
import { A_LOAD, Load, SCOPE, shownLoad } from './shown'

const PERCENT = 'must be a number from 0 to 100'
const ENCODINGS = ['identity', 'gzip'] as const
const ADVICE = 'Split it by rows, and put one after the other.'

const Input = z
  .object({
    load: z.enum(FILES).describe('The file’s name, which says what its rows are'),
    complete: z
      .enum(['true', 'count'])
      .optional()
      .describe(
        'The file has every record of its kind: `true` deletes those it no longer has, `count` only counts them',
      ),
    maxDeleted: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,6})?$/, PERCENT)
      .meta({ maxLength: 10 })
      .transform(Number)
      .refine((percent) => percent <= 100, PERCENT)
      .optional()
      .describe(
        `With \`complete\`: the largest share of the stored records that may be deleted, in percent; ${MOST_PERCENT} when left out`,
      ),
    answers: AnswersText.optional().describe(
      'Answers the questions that the load before was refused for, by their keys, such as `{"dates":"mdy"}`; kept once the file is loaded',
    ),
    upload: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, `.`, `_` or `-`')
      .meta({ maxLength: 64 })
      .optional()
      .describe('Your own name for an upload in parts, another one for each version of the file'),
    range: z
      .string()
      .max(80)
      .optional()
      .describe(
        'Which bytes this part has, such as `bytes 0-4194303/10485760`; `bytes */10485760` asks how far the upload has got',
      ),
    encoding: z
      .string()
      .max(40)
      .optional()
      .transform((text) => text?.trim().toLowerCase() || 'identity')
      .pipe(z.enum(ENCODINGS, { error: 'must be gzip, or left out' }))
      .describe('`gzip` for a compressed file'),
    prefer: z
      .string()
      .meta({ maxLength: 8000 })
      .optional()
      .describe('`respond-async` answers at once, with where to ask for the report'),
  })
  .strict()

const Part = z.object({
  upload: z.string(),
  file: z.string(),
  received: z.int().describe('Bytes that are stored, without a gap: go on after them'),
  size: z.int(),
})
const A_PART: z.output<typeof Part> = {
  upload: 'customers-2026-11-20',
  file: 'customers.csv',
  received: 4_194_304,
  size: 10_485_760,
}

const Output = z.union([Load, Part])

/** Returns what the query declares about the file. @throws ServiceError `bad_request` for a share without `complete` */
function completeOf({ complete, maxDeleted }: z.output<typeof Input>): Complete | undefined {
  if (complete !== undefined) return { delete: complete === 'true', mostPercent: maxDeleted }
  if (maxDeleted === undefined) return undefined
  const message = 'needs `complete`'
  throw new ServiceError('bad_request', `maxDeleted: ${message}`, { fields: [{ field: 'maxDeleted', message }] })
}

/** The part that a request describes; undefined where it has the whole file. @throws ServiceError `bad_request` */
function partOf({ load, upload, range, encoding }: z.output<typeof Input>) {
  if (upload === undefined && range === undefined) return undefined
  if (upload === undefined || range === undefined) {
    const field = upload === undefined ? 'upload' : 'Content-Range'
    const message = 'is missing: a part needs both `upload`, your name for the upload, and Content-Range'
    throw new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })
  }
  const found = rangeOf(range)
  if (found.size > INGEST.maxBytes) throw tooLarge({ maxBytes: INGEST.maxBytes, advice: ADVICE })
  const asked: Upload = { upload, file: load, encoding, size: found.size }
  return { asked, range: found }
}

type Taken = { uploaded: Uploaded } | { part: z.output<typeof Part> }

/** Receives a file, or a part of it: the last one makes the file whole. */
async function take({ actor, incoming }: Context, input: z.output<typeof Input>): Promise<Taken> {
  const receiving: Receiving = { maxBytes: INGEST.maxBytes, advice: ADVICE, encoding: input.encoding }
  const part = partOf(input)
  if (!incoming) throw new ServiceError('bad_request', 'Send the file as the body.')
  if (!part) return { uploaded: await receiveFile(input.load, incoming, receiving) }
  const db = await database()
  const { contractorId } = actor
  const { upload, file, size } = part.asked
  const received = await storePart(db, contractorId, part.asked, part.range, incoming)
  // Who only asks loads nothing: the question says nothing about the file, such as whether it is complete.
  if (received < size || 'asks' in part.range) return { part: { upload, file, received, size } }
  const uploaded = await receiveFile(input.load, storedBytes(db, contractorId, size), receiving).catch(
    async (error) => {
      // Its bytes stay what they are, so sending the rest of them again would not help.
      if (error instanceof ServiceError && error.code !== 'busy') await forgetUpload(db, contractorId)
      throw error
    },
  )
  return { uploaded }
}

async function loadTaken(context: Context, input: z.output<typeof Input>, giveBack: () => Promise<void>) {
  const taken = await take(context, input)
  if ('part' in taken) {
    await giveBack()
    return taken.part
  }
  const { uploaded } = taken
  // An upload whose load broke off, or asks something, is kept: the last part, sent again, loads it.
  const finish = async (isOver = false) => {
    if (isOver && input.upload !== undefined)
      await forgetUpload(await database(), context.actor.contractorId).catch(logLoadFault)
    await rm(uploaded.folder, { recursive: true, force: true })
    await giveBack()
  }
  const { actor } = context
  const { load: file, answers } = input
  const received = { file, uploaded, complete: completeOf(input), answers, release: finish }
  const { load, ended } = await beginLoad(actor, received).catch(async (error) => {
    await finish()
    throw error
  })
  const whole = ended.finally(() => finish())
  if (/(^|[\s,;])respond-async($|[\s,;=])/i.test(input.prefer ?? '')) {
    holdProcessForLoad(whole.then(() => {}, logLoadFault))
    return { ...shownLoad(load, new Date()), report: null }
  }
  const done = await whole
  if (done.state === 'interrupted')
    throw new ServiceError('busy', done.error ?? '', { headers: { 'retry-after': '30' } })
  const { report } = await Load.pick({ report: true }).parseAsync(done)
  if (report && isAsking(report)) throw unanswered(done.error ?? '', report.questions ?? [])
  return { ...shownLoad(done, new Date()), report }
}

const isPart = (result: unknown): boolean => Part.safeParse(result).success
const stateOf = (result: unknown) => Load.safeParse(result).data?.state

function statusOf(result: unknown): number {
  const state = stateOf(result)
  if (isPart(result) || state === 'running') return 202
  return state === 'done' ? 200 : 422
}

const refused = {
  ...A_LOAD,
  state: 'refused' as const,
  error: 'Every row of customers.csv was refused (2). The report names each with its line, field and reason.',
}

/** Receives a CSV file over the API and loads it. */
export const loadFile = defineOperation({
  name: 'load_file',
  title: 'Load a file',
  description:
    'Takes a CSV file as the body, up to 1 GB, streamed, and answers with the loader’s report. Sending the same file again changes nothing. What the file does not settle is asked with 409 before anything is written, and answered with `answers`. One load at a time for a contractor. ' +
    'With `upload` and `Content-Range` a file comes in parts and can be resumed; the last part loads it.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: Input,
  output: Output,
  example: A_LOAD,
  http: {
    method: 'PUT',
    path: '/loads/{load}',
    at: 'data',
    types: ['text/csv', 'application/octet-stream'],
    bodyText: 'The file, or a part of it; no other body caps hold',
    bodyExample: 'Customer ID,Name,Email\nC-1001,Nora Whitfield,nora@example.com\n',
    headers: { range: 'Content-Range', encoding: 'Content-Encoding', prefer: 'Prefer' },
    answers: {
      200: { description: 'Loaded; rows that could not be used are in the report', schema: Load, example: A_LOAD },
      202: {
        description: 'A part is stored, or the load was begun (`Prefer: respond-async`)',
        schema: z.union([Part, Load]),
        example: A_PART,
      },
      422: {
        description:
          'No row could be used, the file was not read to its end, or a complete one deleted nothing; `error` says why',
        schema: Load,
        example: refused,
      },
    },
    statusOf,
    locationOf: (result) => {
      const { data } = Load.safeParse(result)
      return data && `/loads/${data.id}`
    },
  },
  run: async (context, input) => {
    completeOf(input)
    const giveBack = await acquireLoadTurn(context.actor.contractorId)
    try {
      if (stopping().aborted)
        throw new ServiceError('busy', 'The server is stopping. Send the file again in a moment.', {
          headers: { 'retry-after': '30' },
        })
      return await loadTaken(context, input, giveBack)
    } catch (error) {
      await giveBack()
      throw fullDiskFault(error)
    }
  },
})
