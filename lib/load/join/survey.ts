import { countryOf, type Place } from '@/lib/core/country'
import { centsOf } from '@/lib/core/money'
import { RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'
import { slicer } from '@/lib/core/slices'
import { resources } from '@/lib/resources/registry'
import { type Column, plain } from '../columns'
import { FileProblem } from '../fault'
import { nameIn, plainText } from '../identity'
import { linesKey } from '../mapping/shape'
import { type Answers, answerTo, MOST_QUESTIONS, type Question, wordKey } from '../questions'
import type { ControlTotal, Documents } from '../reconcile'
import { SeenReferences } from '../seen'
import { headersOf } from '../sources/headers'
import type { Fill, Fills, Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import { decimalsShown, type Notation, usualDecimals } from '../values'
import { type DateOrder, periodOf } from './date-order'
import { amountIn, asAmount, filler, indexOf } from './fills'
import { LinesApart } from './lines-apart'
import { daysOf, Names } from './names'
import { type JoinedRecord, Joiner } from './records'
import { ownersOf, ownOf } from './words'

/** The notation that a person states for a file where it does not show it; the signal that nobody waits for the end any more. */
export type NotationHints = {
  dates?: Notation['dates'] | undefined
  decimals?: Notation['decimals'] | undefined
  signal?: AbortSignal | undefined
}

/** What the whole of a file shows: its decimal mark, its rows, those that are left out by their kind, and what has to be asked. */
export type Survey = {
  decimals: Notation['decimals']
  leftOut: Map<string, number>
  questions: Question[]
  apart?: LinesApart
  /** What tells customers of one name apart, by that name. */
  namesakes: ReadonlyMap<string, readonly string[]>
  /** The documents of each type, and what they add up to as written. */
  documents: Documents[]
  /** The report's own total, where it has one. */
  total?: ControlTotal
}

type Evidence<Value> = { first: Map<Value, { line: number; cell: string }> }

const AMOUNTS = ['money', 'sum']
/** A cell that may be a date: it begins with a digit, and has a mark between numbers. */
const MAY_BE_DATE = /^\d{1,2}[/-]\d/

/** Returns where the cells stand that fill fields of these types. */
function columnsOf(fills: Fills, types: string[], index: ReadonlyMap<string, number>): number[] {
  const found = new Set<number>()
  for (const resource of Object.values(resources))
    for (const { field, cell } of resource.csv.columns) {
      const fill = fills[resource.name]?.[field]
      if (fill === undefined || typeof cell !== 'string' || !types.includes(cell)) continue
      for (const header of headersOf(fill)) {
        const at = index.get(plain(header))
        if (at !== undefined) found.add(at)
      }
    }
  return [...found]
}

/** The headers of cells that tell records apart. */
const idColumns = ({ fills, lines }: Mapping): string[] => [
  ...(lines ? [lines.key] : []),
  ...Object.values(fills).flatMap(({ id, reference, invoice, externalReference }) =>
    [id, reference, invoice, externalReference].flatMap((fill) => (fill === undefined ? [] : headersOf(fill))),
  ),
]

const placed = ({ line, cell }: { line: number; cell: string }) =>
  `${JSON.stringify(cell.slice(0, 40))} on line ${line}`

/** Decides the decimal mark. @throws FileProblem when the file shows both */
function decimalsOf(
  { first }: Evidence<'.' | ','>,
  { decimals }: Mapping,
  said: NotationHints,
  country: string | undefined,
): Notation['decimals'] {
  if (said.decimals) return said.decimals
  const [point, comma] = [first.get('.'), first.get(',')]
  if (point && comma)
    throw new FileProblem(
      `Amounts of both notations are in the file: ${placed(point)} and ${placed(comma)}. Write all with a decimal point, and load it again.`,
    )
  return point ? '.' : comma ? ',' : (decimals ?? usualDecimals(country))
}

/** Compares the report's own total with what its rows add up to. @throws FileProblem */
function controlTotal(
  { totals }: Mapping,
  joiner: Joiner,
  sums: Map<Notation['decimals'], bigint>,
  { at, notation, file }: { at: number; notation: Notation; file: string },
): ControlTotal | undefined {
  if (!totals || at < 0) return undefined
  if (!joiner.totals) {
    if (!totals.always) return undefined
    throw new FileProblem(
      'The totals row is missing, which such a report always has, so the file was probably cut. Export it again. Nothing of it was loaded.',
    )
  }
  const { line, cells, others } = joiner.totals
  const stated = amountIn(cells[at] ?? '', notation)
  const sum = sums.get(notation.decimals) ?? 0n
  if (stated === undefined) return undefined
  if (centsOf(stated) === sum) return { file, column: totals.column, stated, read: asAmount(sum) }
  // Of several totals rows the last may be for a part as well.
  if (others > 0) return undefined
  throw new FileProblem(
    `The report's own total of ${totals.column} is ${stated}, and its rows add up to ${asAmount(sum)}: the file was cut or changed. Export it again. Nothing of it was loaded.`,
    line,
  )
}

/** Adds an amount to the sum of each notation in which it can be read. */
function addTo(sums: Map<Notation['decimals'], bigint>, cell: string): void {
  for (const [decimals, sum] of sums) {
    const amount = amountIn(cell, { decimals })
    if (amount !== undefined) sums.set(decimals, sum + centsOf(amount))
  }
}

/** The document that a row of a resource is, where a file has one kind only. */
const SINGLE: Record<string, string> = {
  customers: 'customer',
  projects: 'job',
  estimates: 'estimate',
  invoices: 'invoice',
  payments: 'payment',
}
const HAS_AMOUNT = /^(?!customer$|job$|none$)/

/** A column of words that a person may have to explain: what its words decide, and which are known. */
type WordColumn = { at: number; header: string; what: string; choices: string[]; isKnown(word: string): boolean }

/** Returns the columns whose words decide what a row is or how it stands. */
function wordColumns(
  { source, fills }: Mapping,
  index: ReadonlyMap<string, number>,
  columnOf: (resource: ResourceName, field: string) => Column | undefined,
  answers: Answers,
): WordColumn[] {
  const found: WordColumn[] = []
  for (const resource of RESOURCE_NAMES) {
    const fields = fills[resource] ?? {}
    const fill: Fill | undefined = fields.status
    const known = columnOf(resource, 'status')
    const cell = resources[resource].csv.columns.find(({ field }) => field === 'status')?.cell
    if (typeof fill !== 'string' || !known || typeof cell !== 'object') continue
    const choices = Object.keys('oneOf' in cell ? cell.oneOf : 'oneOfOrNone' in cell ? cell.oneOfOrNone : {})
    const at = index.get(plain(fill))
    if (at === undefined) continue
    const isKnown = (word: string) => {
      const read = known.read(answerTo(answers, wordKey(source, fill, word)) ?? word)
      return answerTo(answers, wordKey(source, fill, word)) === 'ignore' || (!('reason' in read) && read.value !== null)
    }
    found.push({ at, header: fill, what: `a status of ${resource}`, choices: [...choices, 'ignore'], isKnown })
  }
  return found
}

/** Reads one file through, to learn what only the whole of it shows. */
export class FileSurvey {
  private readonly index: ReadonlyMap<string, number>
  private readonly marks: Evidence<'.' | ','> = { first: new Map() }
  private readonly sums = new Map<Notation['decimals'], bigint>([
    ['.', 0n],
    [',', 0n],
  ])
  private readonly leftOut = new Map<string, number>()
  private readonly unknown = new Map<string, { question: Question; count: number }>()
  private readonly seen = new SeenReferences()
  private readonly names = new Map<string, Set<string>>()
  private readonly apart = new LinesApart()
  private readonly totalAt: number
  private readonly own: ReadonlySet<string>
  /** Where numbers and ids stand, which may look like days. */
  private readonly ids: ReadonlySet<number>
  private readonly counts = new Map<string, { count: number; sums: Map<Notation['decimals'], bigint> }>()
  private repeat: Question | undefined
  private group: { key: string; kind: string; first: number | undefined } | undefined

  constructor(
    private readonly mapping: Mapping,
    private readonly table: Table,
    private readonly dates: DateOrder,
    private readonly columnOf: (resource: ResourceName, field: string) => Column | undefined,
    private readonly answers: Answers,
  ) {
    this.index = indexOf(table.header)
    this.own = ownOf(mapping)
    this.ids = new Set(idColumns(mapping).flatMap((name) => this.index.get(plain(name)) ?? []))
    this.totalAt = mapping.totals ? (this.index.get(plain(mapping.totals.column)) ?? -1) : -1
  }

  /** Returns what looks at each record. */
  private looker(): (record: JoinedRecord) => void {
    const { mapping, table, index } = this
    const amounts = columnsOf(mapping.fills, AMOUNTS, index)
    const at = this.totalAt
    const words = wordColumns(mapping, index, this.columnOf, this.answers)
    const filling = {
      index,
      notation: { dates: 'mdy' as const, decimals: '.' as const, zone: 'UTC', country: undefined },
    }
    const { invoices = {}, payments = {}, estimates = {} } = mapping.fills
    const read = (fill: Fill | undefined) => (fill === undefined ? () => '' : filler(fill, filling))
    const [issued, due, paid] = [
      read(invoices.date ?? estimates.date),
      read(invoices.dueDate ?? estimates.validUntil),
      read(invoices.settledAt ?? (invoices.date === undefined ? payments.date : undefined)),
    ]
    const terms = read(invoices.terms)
    const names = new Names({ mapping, table, notation: filling.notation })
    const customer = read(mapping.fills.customers?.name)
    const [number, amount] = [read(invoices.reference), read(invoices.amount ?? estimates.amount)]
    const paidAmount = read(payments.amount)
    const isMapped = mapping.source === 'Mapped' && mapping.lines === undefined && invoices.reference !== undefined
    const period = periodOf(table.preamble)
    const { lines } = mapping
    const keys = (lines?.sum ?? lines?.total) ? new Joiner(mapping, table, filling.notation, this.answers) : undefined
    return (record) => {
      for (const column of amounts) this.noteMark(record, column)
      if (at >= 0) addTo(this.sums, record.cells[at] ?? '')
      this.noteWords(record, words)
      this.noteDates(record, {
        issued: issued(record),
        due: due(record),
        paid: paid(record),
        terms: daysOf(terms(record)),
      })
      if (period) this.dates.period(issued(record), period, table.name, record.line)
      if (keys) this.noteLines(record, keys.keyOf(record))
      this.noteNamesake(customer(record), names, record)
      this.count(record, amounts.length > 0 ? amount(record) || paidAmount(record) : '')
      if (isMapped) this.noteRepeat(record, [number(record), customer(record), issued(record)], amount(record))
    }
  }

  async read(said: NotationHints, office: Place): Promise<Survey> {
    const { mapping, table } = this
    // Neither decides how rows are grouped, so one of them will do.
    const { lines: _, ...unjoined } = mapping
    const notation = { dates: 'mdy' as const, decimals: '.' as const, zone: 'UTC', country: undefined }
    const joiner = new Joiner(unjoined, table, notation, this.answers)
    const look = this.looker()
    const breathe = slicer()
    for await (const row of table.rows) {
      if (said.signal?.aborted) break
      for (const record of joiner.take(row)) look(record)
      const turn = breathe()
      if (turn) await turn
    }
    const country = countryOf(office)
    const decimals = decimalsOf(this.marks, mapping, said, country)
    const at = { at: this.totalAt, notation: { ...notation, decimals }, file: table.name }
    const total = controlTotal(mapping, joiner, this.sums, at)
    return {
      decimals,
      leftOut: this.leftOut,
      questions: [
        ...(this.repeat && answerTo(this.answers, linesKey(table.header)) === undefined ? [this.repeat] : []),
        ...[...this.unknown.values()].slice(0, MOST_QUESTIONS).map(({ question }) => question),
      ],
      namesakes: new Map(
        [...this.names].flatMap(([name, ids]) => (ids.size > 1 ? [[name, [...ids].sort()] as const] : [])),
      ),
      documents: [...this.counts].map(([type, { count, sums }]) => ({
        file: table.name,
        type,
        count,
        amount: HAS_AMOUNT.test(type) ? asAmount(sums.get(decimals) ?? 0n) : null,
      })),
      ...(total && { total }),
      ...(this.apart.size > 0 && { apart: this.apart }),
    }
  }

  /** Counts a document of its type, and adds its amount. */
  private count({ type }: JoinedRecord, amount: string): void {
    const { mapping } = this
    const only = mapping.billedWhen ? 'job' : (SINGLE[String([...this.own].at(-1))] ?? 'row')
    const name = mapping.types ? (type ?? 'unknown') : only
    const known = this.counts.get(name) ?? {
      count: 0,
      sums: new Map([
        ['.', 0n],
        [',', 0n],
      ] as [Notation['decimals'], bigint][]),
    }
    known.count++
    if (amount !== '') addTo(known.sums, amount)
    this.counts.set(name, known)
  }

  private noteMark({ cells, line }: JoinedRecord, column: number): void {
    const cell = cells[column] ?? ''
    const shown = decimalsShown(cell)
    if (shown && !this.marks.first.has(shown)) this.marks.first.set(shown, { line, cell })
  }

  private noteDates(
    { cells, line }: JoinedRecord,
    dates: { issued: string; due: string; paid: string; terms: number | undefined },
  ): void {
    for (const [at, cell] of cells.entries())
      if (cell.length < 30 && MAY_BE_DATE.test(cell) && !this.ids.has(at)) this.dates.cell(cell, this.table.name, line)
    if (this.table.format.kind === 'text')
      for (const cell of [dates.issued, dates.due, dates.paid])
        if (/^[34]\d{4}$/.test(cell)) this.dates.serial(cell, this.table.name, line)
    this.dates.document(dates, this.table.name, line)
  }

  /** Counts a row of a kind that is left out, and asks for a word that nobody knows. */
  private noteWords(record: JoinedRecord, columns: WordColumn[]): void {
    const { mapping } = this
    const { kind, type } = record
    if (mapping.types && type === undefined && kind !== '')
      this.ask(kind, mapping.types.column, record.line, 'a type of document', [
        'invoice',
        'payment',
        'creditMemo',
        'refund',
        'ignore',
      ])
    else if (
      mapping.types &&
      ownersOf(mapping, this.own, record).length === 0 &&
      (this.leftOut.has(kind) || this.leftOut.size < 50)
    )
      this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
    if (type === 'none') return
    for (const { at, header, what, choices, isKnown } of columns) {
      const word = record.cells[at] ?? ''
      if (word !== '' && !isKnown(word)) this.ask(word, header, record.line, what, choices)
    }
  }

  private ask(word: string, column: string, line: number, what: string, choices: string[]): void {
    const key = wordKey(this.mapping.source, column, word)
    const known = this.unknown.get(key)
    if (known) return void known.count++
    if (this.unknown.size >= MOST_QUESTIONS) return
    const question = `What does “${word.slice(0, 60)}” in ${column} mean? It is ${what} that is not known. Choose one of ${choices.join(', ')}.`
    this.unknown.set(key, {
      count: 1,
      question: {
        kind: 'words',
        key,
        file: this.table.name,
        line,
        column,
        value: word.slice(0, 100),
        question,
        choices,
      },
    })
  }

  /** Notes the rows of a document that stand apart from its first. */
  private noteLines({ line, kind, cells }: JoinedRecord, key: string): void {
    if (key === '') {
      this.group = undefined
      return
    }
    if (this.group?.key !== key || this.group.kind !== kind)
      this.group = { key, kind, first: this.seen.firstLine(JSON.stringify([key, kind]), line) }
    if (this.group.first !== undefined && this.group.first !== line)
      this.apart.note(key, kind, this.group.first, line, cells)
  }

  /** Asks whether rows of one number, customer and day are the lines of one document. */
  private noteRepeat({ line }: JoinedRecord, document: string[], amount: string): void {
    if (document.some((part) => part === '') || this.repeat) return
    const first = this.seen.firstLine(JSON.stringify(document), line)
    if (first === undefined) return
    const { reference = '' } = this.mapping.fills.invoices ?? {}
    const column = headersOf(reference)[0] ?? null
    const question = `Are rows with one number lines of one document? Lines ${first} and ${line} both have “${document[0]}” in the column “${column}”, and line ${line} has ${amount}. Choose lines to add them up, or repeats to keep the first and refuse the others.`
    this.repeat = {
      kind: 'columns',
      key: linesKey(this.table.header),
      file: this.table.name,
      line,
      column,
      value: document[0] ?? null,
      question,
      choices: ['lines', 'repeats'],
    }
  }

  private noteNamesake(name: string, names: Names, record: JoinedRecord): void {
    if (name === '') return
    const id = names.namesakeId(record)
    if (id === '') return
    const key = plainText(nameIn(name))
    const ids = this.names.get(key)
    if (ids) ids.add(id)
    else if (this.names.size < 200_000) this.names.set(key, new Set([id]))
  }
}
