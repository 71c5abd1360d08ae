import type { StoredDocument } from '@/db/queries/stored-documents'
import { parseExportedDate } from '@/lib/core/time'
import { columnOf } from '../kinds'
import { type Answers, answerTo, keyOf, type Question } from '../questions'
import { plainDate } from '../values'
import type { DateOrder } from './date-order'
import { amountIn } from './fills'
import type { JoinedFile } from './joined-file'
import { Names } from './names'
import { type JoinedRecord, recordsOf } from './records'

/** Finds stored invoices or payments by their references. */
export type FindStored = (
  kind: 'invoices' | 'payments',
  references: readonly string[],
) => Promise<Map<string, StoredDocument>>

/** An invoice or payment of a file, as it is looked up. */
type Stated = {
  kind: 'invoices' | 'payments'
  reference: string
  owners: string[]
  amount: string
  date: string
  line: number
}

const AT_ONCE = 1_000
/** The most documents that are looked up for the order of dates: it takes one to show it. */
const MOST_FOR_DATES = 5_000

/** Returns what a record states that may be stored. A payment without an id is known by all it states, and cannot state anything else. */
function statedBy(names: Names, record: JoinedRecord): Stated[] {
  const isOwn = names.file.mapping.source === 'Plumbline'
  const value = (kind: Stated['kind'], field: string) => names.value(kind, field, record)
  const of = (kind: Stated['kind'], reference: string, owners: string[], amount: string, date: string): Stated[] =>
    reference === '' || date === '' ? [] : [{ kind, reference, owners, amount, date, line: record.line }]
  if (record.fault !== undefined) return []
  if (names.owns('invoices', record)) {
    const [reference, owner] = isOwn
      ? [value('invoices', 'reference'), value('invoices', 'project')]
      : [names.invoice(record), names.customer(record)]
    return of('invoices', reference, [owner], value('invoices', 'amount'), value('invoices', 'date'))
  }
  if (!names.owns('payments', record)) return []
  const owners = isOwn ? [value('payments', 'project'), value('payments', 'invoice')] : [names.customer(record)]
  return of('payments', value('payments', 'reference'), owners, value('payments', 'amount'), value('payments', 'date'))
}

/** Reads the documents of a file that are stored, each with what is stored. */
async function* bothOf(file: JoinedFile, find: FindStored): AsyncGenerator<[Stated, StoredDocument]> {
  const names = new Names(file, columnOf)
  async function* found(batch: Stated[]): AsyncGenerator<[Stated, StoredDocument]> {
    for (const kind of ['invoices', 'payments'] as const) {
      const these = batch.filter((each) => each.kind === kind)
      if (these.length === 0) continue
      const stored = await find(
        kind,
        these.map(({ reference }) => reference),
      )
      for (const each of these) {
        const known = stored.get(each.reference)
        if (known) yield [each, known]
      }
    }
  }
  let batch: Stated[] = []
  for await (const record of recordsOf(file)) {
    batch.push(...statedBy(names, record))
    if (batch.length < AT_ONCE) continue
    yield* found(batch)
    batch = []
  }
  yield* found(batch)
}

/** Shows the order of dates what is stored of the documents that a load states again. */
export async function compareDays(files: readonly JoinedFile[], dates: DateOrder, find: FindStored): Promise<void> {
  let count = 0
  for (const file of files)
    for await (const [{ date, line }, { day }] of bothOf(file, find)) {
      dates.stored(date, Date.parse(day) / 86_400_000, file.table.name, line)
      if (++count >= MOST_FOR_DATES) return
    }
}

/** Returns the day that a cell of a file names. */
export const dayOf = (text: string, { notation }: JoinedFile) =>
  parseExportedDate(plainDate(text, { ...notation, zone: 'UTC' }))
    ?.toISOString()
    .slice(0, 10)

/** Reports whether a document has another owner, amount and day than what is stored under its number. */
function isAnother(file: JoinedFile, { owners, amount, date }: Stated, stored: StoredDocument): boolean {
  const said = owners.filter(Boolean)
  const read = amountIn(amount, file.notation)
  const day = dayOf(date, file)
  if (said.length === 0 || read === undefined || day === undefined) return false
  return (
    said.every((owner) => !stored.owners.includes(owner)) &&
    Math.abs(Number(read)) !== Number(stored.amount) &&
    day !== stored.day
  )
}

/** The key of the question whether a file's documents are those that are stored under their numbers. It is answered for one load only. */
const overwritingKey = (file: JoinedFile): string => `overwriting ${keyOf(file.table.name)}`

/** Reports whether an answer holds for its load alone. */
export const isOfOneLoad = (key: string): boolean => key.startsWith('overwriting ')

/**
 * Asks whether documents are to be changed that have another customer or job, amount and day than what is stored under their numbers.
 * @returns the question, and the references that a person said are to stay as they are stored
 */
export async function askOverwriting(
  file: JoinedFile,
  answers: Answers | undefined,
  find: FindStored,
): Promise<{ question?: Question; kept: string[] }> {
  const key = overwritingKey(file)
  const answer = answerTo(answers, key)
  if (answer === 'overwrite') return { kept: [] }
  const kept: string[] = []
  let first: [Stated, StoredDocument] | undefined
  for await (const both of bothOf(file, find)) {
    if (!isAnother(file, ...both)) continue
    first ??= both
    kept.push(both[0].reference)
  }
  if (!first || answer === 'keep') return { kept }
  const [{ kind, line, amount, date, reference }, stored] = first
  const what = kind === 'invoices' ? `invoice ${stored.number ?? reference}` : `payment ${reference}`
  const more = kept.length > 1 ? ` So have ${kept.length - 1} more rows.` : ''
  const question = `Is this the same ${what}? Line ${line} of ${file.table.name} has another customer or job, another amount (${amount.slice(0, 40)}, stored ${stored.amount}) and another day (${date.slice(0, 40)}, stored ${stored.day}).${more} Choose overwrite to change what is stored, or keep to leave it and refuse the rows.`
  return {
    kept: [],
    question: {
      kind: 'overwriting',
      key,
      file: file.table.name,
      line,
      column: null,
      value: stored.number ?? reference,
      question,
      choices: ['overwrite', 'keep'],
    },
  }
}
