import * as z from 'zod'
import { MOST_CELLS } from '@/lib/load/csv'
import { TARGETS } from '@/lib/load/mapping/fields'
import { MOST_PERCENT } from '@/lib/load/missing'
import type { FileReport, LoadOptions } from '@/lib/load/report'
import { Answers } from './asking'

const isFunction = (value: unknown): boolean => typeof value === 'function'

const PERCENT = { error: 'must be a number from 0 to 100' }

/** Declares files complete: what they no longer have is counted, and deleted when that is asked for. */
const CompleteInput = z
  .object({
    delete: z.boolean().describe('Deletes the records that the file no longer has; otherwise they are only counted'),
    mostPercent: z
      .number(PERCENT)
      .min(0, PERCENT)
      .max(100, PERCENT)
      .optional()
      .describe(`The largest share of the stored records that may be deleted; ${MOST_PERCENT} when left out`),
    most: z.int().nonnegative().optional().describe('The most records that may be deleted, as a person confirmed it'),
    confirm: z.custom<(files: FileReport[]) => boolean | Promise<boolean>>(isFunction).optional(),
  })
  .strict()

/** The person's mapping of the columns of files that are not recognized. */
export const MAPPED = {
  map: z
    .array(
      z.object({
        file: z.string().max(150).optional().describe('Only of this file'),
        column: z.string().min(1).max(300),
        field: z
          .enum(TARGETS.map(({ field }) => field))
          .nullable()
          .describe('Null leaves the column out'),
      }),
    )
    .max(MOST_CELLS)
    .optional()
    .describe('Maps files that are not recognized by their columns, with these fields in place of what is proposed'),
  saveMap: z.boolean().optional().describe('Keeps the mapping for the next file of these columns'),
}

/** The input with which a caller monitors a load. Only code calls these operations, so their input may contain functions. */
export const FOLLOWED = {
  onProgress: z
    .custom<NonNullable<LoadOptions['onProgress']>>(isFunction)
    .optional()
    .describe('Called after each batch with the counts of the file so far; what it throws ends the load'),
  signal: z.instanceof(AbortSignal).optional().describe('Ends the load at the next slice'),
  complete: CompleteInput.optional().describe('Declares the files complete'),
  dates: z.enum(['mdy', 'dmy']).optional().describe('The order of dates in files that do not show it'),
  answers: Answers.optional().describe(
    'Answers the questions of the report before, by their keys; kept once the load has landed',
  ),
}

/** The dry run: nothing is written; the report says what would be. */
export const DRY_RUN = {
  dryRun: z
    .boolean()
    .optional()
    .describe('Nothing is written; the report says what would be, and `preview` the oddest rows'),
}

/** The bytes of an upload, as they arrive. */
export const Body = z.custom<AsyncIterable<Uint8Array>>((value) => Symbol.asyncIterator in Object(value), {
  error: 'is required: the file’s bytes',
})

const Faults = z.array(
  z.object({
    file: z.string(),
    line: z.int().nullable(),
    field: z.string().nullable(),
    value: z.string().nullable(),
    reason: z.string(),
  }),
)

const Questions = z.array(
  z.object({
    kind: z.enum(['dates', 'words', 'columns', 'kind', 'overwriting', 'renamed']).describe('What is not known'),
    key: z.string().describe('What an answer names'),
    file: z.string(),
    line: z.int().nullable(),
    column: z.string().nullable(),
    value: z.string().nullable().describe('An example from the file'),
    question: z.string(),
    choices: z.array(z.string()).describe('The answers that fit; none where only another file helps'),
  }),
)

const Books = z.object({
  receivable: z.string(),
  credit: z.string(),
})

export const LoadReportOutput = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      rows: z.int(),
      added: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      refused: z.int(),
      ignored: z.array(z.string()).describe('Columns that mean nothing here'),
      problem: z.string().nullable().describe('Why the file, or what follows a line of it, was not read'),
      removal: z
        .object({
          stored: z.int().describe('Records that came from such files'),
          missing: z.int().describe('Of these, how many the file does not have'),
          deleted: z.int(),
          kept: z.int().describe('Not deleted, because other records belong to them; each is among the faults'),
          refusal: z.string().nullable().describe('Why nothing was deleted'),
        })
        .optional()
        .describe('Only for a file that was declared complete'),
    }),
  ),
  faults: Faults.describe('The first thousand; faultCount counts all'),
  faultCount: z.int(),
  contradictions: Faults.optional().describe(
    'Where loaded rows contradict themselves or their payments, and what counts; the first thousand',
  ),
  sources: z
    .array(
      z.object({
        file: z.string(),
        source: z.string().nullable().describe('Such as `Jobber Invoices`; null when it was not loaded'),
        rules: z.array(z.string()).describe('How it was read, and what fills what it leaves out'),
        ignored: z.array(z.string()).describe('Columns that are not read'),
      }),
    )
    .optional()
    .describe('What files of other software were taken for'),
  dates: z
    .string()
    .optional()
    .describe('The order in which dates were read, and why; only where some could be read two ways'),
  questions: Questions.optional().describe('What has to be answered before anything is written; nothing was'),
  reconciliation: z
    .object({
      currency: z.string(),
      documents: z.array(
        z.object({
          file: z.string(),
          type: z.string().describe('Such as invoice, salesReceipt, payment'),
          count: z.int(),
          amount: z
            .string()
            .nullable()
            .describe('What they add up to as the file writes them; null where they have none'),
        }),
      ),
      totals: z
        .array(z.object({ file: z.string(), column: z.string(), stated: z.string(), read: z.string() }))
        .describe('Totals that a report states itself, beside what was read'),
      months: z
        .array(
          z.object({
            file: z.string(),
            month: z.string().describe('Such as 2026-11, in UTC'),
            currency: z.string(),
            stored: z.string().describe('Before the load'),
            after: z.string().describe('After it'),
          }),
        )
        .describe('Invoices and received payments by month, the newest sixty that each file changes'),
      before: Books.describe('All of the contractor’s books in this currency, before'),
      after: Books.nullable().describe('And after; null where nothing was written'),
      differences: z
        .array(
          z.object({
            customer: z.string(),
            currency: z.string(),
            stated: z.string(),
            books: z.string(),
            reason: z.string(),
          }),
        )
        .describe('Customers whose stated balances are not what the books have; the first hundred'),
    })
    .optional()
    .describe('What a bookkeeper compares before signing'),
  customersWithoutProject: z.int(),
  milliseconds: z.int(),
  stopped: z.boolean().describe('Ended by the signal; what the counts say is in'),
  preview: z
    .object({
      odd: z
        .array(
          z.object({
            file: z.string(),
            line: z.int(),
            field: z.string(),
            value: z.string().nullable(),
            reason: z.string(),
          }),
        )
        .describe('The ten oddest rows of each file, the oddest first'),
    })
    .optional()
    .describe('Only of a dry run, which wrote nothing'),
})

export const LOADED: z.output<typeof LoadReportOutput> = {
  files: [
    {
      file: 'customers.csv',
      rows: 2,
      added: 2,
      updated: 0,
      unchanged: 0,
      refused: 0,
      ignored: [],
      problem: null,
    },
  ],
  faults: [],
  faultCount: 0,
  customersWithoutProject: 0,
  milliseconds: 120,
  stopped: false,
}
