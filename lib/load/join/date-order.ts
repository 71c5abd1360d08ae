import { countryOf, dateOrderOf, type Place } from '@/lib/core/country'
import { parseExportedDate } from '@/lib/core/time'
import type { Question } from '../questions'
import { type Notation, orderShown, plainDate } from '../values'

type Order = Notation['dates']
const ORDERS = ['mdy', 'dmy'] as const

/** A cell of a file, as it is named to a person. */
type Shown = { file: string; line: number; cell: string }

/** What the dates of a document are: when it was issued, when it is due, when it was paid; and the days of its terms of payment. */
export type DatesOf = { issued?: string; due?: string; paid?: string; terms?: number | undefined }

/** The days between issue and due day that terms of payment have, where a document states none. */
const TERMS = [0, 7, 10, 14, 15, 21, 28, 30, 31, 45, 60, 90]
const DAY_MS = 86_400_000

const placed = ({ file, line, cell }: Shown) => `“${cell.slice(0, 40)}” on line ${line} of ${file}`

const WORDS = { mdy: 'the month comes before the day (mdy)', dmy: 'the day comes before the month (dmy)' }

/** The order of a load's dates, and why. */
type Decision = { order: Order; why?: string }

const because = (order: Order, why: string): Decision => ({ order, why: `In dates ${WORDS[order]}: ${why}.` })

/** Collects from all dates of a load which of their numbers is the day. */
export class DateOrder {
  private readonly shown = new Map<Order, Shown>()
  private either: Shown | undefined
  /** Why an order cannot be: a document would be due or paid before it was issued, or lie outside its report. */
  private readonly against = new Map<Order, string>()
  private readonly usual = { mdy: 0, dmy: 0 }
  /** A document that is stored with the day that an order gives it. */
  private readonly known = new Map<Order, Shown>()
  private spoiled: Shown | undefined

  constructor(private readonly today: number) {}

  /** Looks at a cell of any column. */
  cell(text: string, file: string, line: number): void {
    const order = orderShown(text)
    if (order === undefined) return
    const at = { file, line, cell: text }
    if (order === 'either') this.either ??= at
    else if (!this.shown.has(order)) this.shown.set(order, at)
  }

  /** Notes a date that a spreadsheet made a serial number, which it does to the dates it can read and leaves the others. */
  serial(text: string, file: string, line: number): void {
    this.spoiled ??= { file, line, cell: text }
  }

  /** Looks at the dates of one document. */
  document({ issued, due, paid, terms }: DatesOf, file: string, line: number): void {
    if (![issued, due, paid].some((text) => text !== undefined && orderShown(text) === 'either')) return
    const usual = terms === undefined ? TERMS : [terms]
    for (const order of ORDERS) {
      const [from, until, on] = [issued, due, paid].map((text) => dayOf(text, order))
      const say = (what: string, cells: (string | undefined)[]) => {
        if (!this.against.has(order))
          this.against.set(
            order,
            `line ${line} of ${file} would be ${what} (${cells.map((cell) => `“${cell}”`).join(', ')})`,
          )
      }
      if (from !== undefined && until !== undefined && until < from) say('due before it was issued', [issued, due])
      if (from !== undefined && on !== undefined && on < from) say('paid before it was issued', [issued, paid])
      if (on !== undefined && on > this.today + 1) say('paid on a day that lies ahead', [paid])
      if (from !== undefined && until !== undefined && usual.includes(until - from)) this.usual[order]++
    }
  }

  /** Looks at a date of a document that is stored with a day. */
  stored(text: string, day: number, file: string, line: number): void {
    if (orderShown(text) !== 'either') return
    const [as, other] = ORDERS.filter((order) => dayOf(text, order) === day)
    if (as && !other && !this.known.has(as)) this.known.set(as, { file, line, cell: text })
  }

  /** Reports whether the files themselves leave the order open. */
  get isOpen(): boolean {
    return this.either !== undefined && !(this.byItself() ?? this.byDocuments(this.either))
  }

  /** Looks at a date of a report that says itself which days it has. */
  period(text: string, { from, to }: { from: number; to: number }, file: string, line: number): void {
    if (orderShown(text) !== 'either') return
    for (const order of ORDERS) {
      const day = dayOf(text, order)
      if (day !== undefined && (day < from || day > to) && !this.against.has(order))
        this.against.set(order, `“${text}” on line ${line} of ${file} would lie outside the days that the report names`)
    }
  }

  /**
   * Decides the order, or asks.
   * @param said the order that a person gave for this load
   * @param kept the order that was answered for an earlier load: it holds until the files say otherwise, and answers what they contradict themselves in
   * @returns the order and a sentence on why; no sentence where no date needs it
   */
  decide(said: Order | undefined, kept: Order | undefined, office: Place): Decision | Question {
    const example = this.either ?? this.shown.get('mdy') ?? this.shown.get('dmy')
    if (!example) return { order: said ?? 'mdy' }
    if (said) return because(said, `you said so; for example, ${this.read(example, said)}`)
    const found = this.byItself() ?? this.byDocuments(example)
    if (found && !('kind' in found && kept)) return found
    return this.byStored() ?? this.byAnswer(example, kept) ?? this.byCountry(example, office)
  }

  /** Decides by a date that can be read one way only. */
  private byItself(): Decision | Question | undefined {
    const [mdy, dmy] = [this.shown.get('mdy'), this.shown.get('dmy')]
    if (mdy && dmy) return this.ask(`${placed(mdy)} has the month first, and ${placed(dmy)} the day first`, mdy)
    if (dmy && this.spoiled)
      return this.ask(
        `${placed(this.spoiled)} is a number that a spreadsheet made of a date, and ${placed(dmy)} is text that it left`,
        dmy,
      )
    const one = mdy ?? dmy
    return one && because(mdy ? 'mdy' : 'dmy', `${placed(one)} can be nothing else`)
  }

  /** Decides by what dates of one document can be to each other, and by usual terms. */
  private byDocuments(example: Shown): Decision | Question | undefined {
    const [first, second] = ORDERS.filter((order) => !this.against.has(order))
    if (!first)
      return this.ask(
        `read month first, ${this.against.get('mdy')}; read day first, ${this.against.get('dmy')}`,
        example,
      )
    if (!second) return because(first, `the other way, ${this.against.get(first === 'mdy' ? 'dmy' : 'mdy')}`)
    const { mdy, dmy } = this.usual
    if (mdy === dmy) return undefined
    const order = mdy > dmy ? 'mdy' : 'dmy'
    return because(order, `so due dates follow the usual terms; for example, ${this.read(example, order)}`)
  }

  /** Decides by what is stored of the same documents. */
  private byStored(): Decision | undefined {
    const [as, other] = [...this.known]
    return as && !other ? because(as[0], `${placed(as[1])} is the day that is stored of the same record`) : undefined
  }

  private byAnswer(example: Shown, kept: Order | undefined): Decision | undefined {
    return kept && because(kept, `it was answered for an earlier load; for example, ${this.read(example, kept)}`)
  }

  private byCountry(example: Shown, office: Place): Decision | Question {
    const country = countryOf(office)
    const order = dateOrderOf(country)
    if (order) return because(order, `that is how ${country} writes them; for example, ${this.read(example, order)}`)
    return this.ask(`${placed(example)} can be a day of two months, and nothing in the files shows which`, example)
  }

  private read = ({ cell }: Shown, order: Order) => {
    const day = parseExportedDate(plainDate(cell, { dates: order, zone: 'UTC' }))
    return day ? `“${cell}” is ${day.toISOString().slice(0, 10)}` : `“${cell}”`
  }

  private ask(why: string, { file, line, cell }: Shown): Question {
    const question = `Which comes first in dates, the day or the month? ${why}.`
    return { kind: 'dates', key: 'dates', file, line, column: null, value: cell, question, choices: ['mdy', 'dmy'] }
  }
}

/** Returns the day that a date is under an order, as days since 1970. */
function dayOf(text: string | undefined, order: Order): number | undefined {
  if (text === undefined || text === '') return undefined
  const date = parseExportedDate(plainDate(text, { dates: order, zone: 'UTC' }))
  return date && Math.floor(date.getTime() / DAY_MS)
}

const YEAR = /\b(\d{4})\b/
/** The days that the lines above a report's header name: `As of June 30, 2026`, `February 1-28, 2026`; undefined when they name none. */
export function periodOf(preamble: string[][]): { from: number; to: number } | undefined {
  const lines = preamble
    .flatMap((cells) => cells.map((cell) => cell.trim()))
    .filter((cell) => cell.length < 80 && YEAR.test(cell))
  for (const line of lines) {
    const asOf = /^as (?:of|at):? (.+)$/i.exec(line)?.[1]
    const day = asOf === undefined ? undefined : wordsDay(asOf)
    if (day !== undefined) return { from: Number.NEGATIVE_INFINITY, to: day }
    const [begin = '', end] = line.split(/ ?[-–] ?| to | through /)
    if (end === undefined) continue
    const year = YEAR.exec(end)?.[1] ?? ''
    const last = wordsDay(end) ?? wordsDay(`${/\p{L}+/u.exec(begin)?.[0] ?? ''} ${end}`)
    const first = wordsDay(begin) ?? wordsDay(`${begin}, ${year}`) ?? wordsDay(`${begin} ${year}`)
    if (first !== undefined && last !== undefined && first <= last) return { from: first, to: last }
  }
  return undefined
}

/** Returns the day of a date whose month is a word. */
function wordsDay(text: string): number | undefined {
  return /\p{L}{3}/u.test(text) ? dayOf(text.trim(), 'mdy') : undefined
}
