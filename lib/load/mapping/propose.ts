import type { Notation } from '../values'
import { fitOf, KIND_NAMES, type Kind, type Profile, profileOf, WANTED } from './content'
import { findTarget, type Mapped, TARGETS, type Target, WORDS_OF } from './fields'
import { nameFits, wordsIn } from './words'

/** The field a column fills; null for none. */
export type Assigned = { column: string; field: string | null }

/** The choice a person made for a column: of every file that has it, or of one. */
export type Chosen = Assigned & { file?: string | undefined }

/** The way a file of some columns is read, as it is kept for a contractor. */
export type StoredMapping = { columns: Assigned[]; dates?: Notation['dates']; answers?: Record<string, string> }

/** A column with what it could be: how sure that is, from 0 to 1, and why. */
export type Proposed = Assigned & { samples: string[]; confidence: number; reason: string }

/** The least certainty with which a field is proposed: a wrong field is worse than none. */
const LEAST = 0.5

/** Reports whether rows are estimates: they have a number of one or an end, and neither an invoice nor a number of their job. */
function isOffer(names: string[][]): boolean {
  const any = (words: readonly string[], name: string[]) => words.some((word) => name.includes(word))
  const ofOffers = names.filter((name) => any(WORDS_OF.estimates, name))
  const isNumbered = ofOffers.some((name) => any(['number', 'id', 'reference'], name))
  const ends = names.some((name) => any(['valid', 'good', 'expires', 'expiration', 'expiry'], name))
  const isOther = names.some(
    (name) => any(WORDS_OF.invoices, name) || (any(WORDS_OF.projects, name) && any(['number', 'id', 'code'], name)),
  )
  return !isOther && ofOffers.length > 0 && (isNumbered || ends)
}

/** Returns what the rows of a file can be, by the names of its columns alone: the likeliest first, and others only where they fit as well. */
export function subjectsOf(header: string[]): [Mapped, ...Mapped[]] {
  const names = header.map(wordsIn)
  const has = (...words: string[]) => names.some((name) => words.every((word) => name.includes(word)))
  const isOpen = has('due') || has('balance') || has('outstanding') || has('invoice', 'date') || has('terms')
  const isPaid =
    has('method') ||
    has('check', 'number') ||
    has('paid', 'with') ||
    has('payment', 'date') ||
    has('payment', 'amount') ||
    has('received', 'date')
  // Invoices with a day of their own and the check that paid each, or the checks with the day of their invoice.
  const days = names.filter((name) => name.includes('date'))
  const ofMoney = (name: string[]) => name.includes('paid') || name.includes('received')
  const isEither = has('invoice') && days.some(ofMoney) && !days.every(ofMoney)
  if (isPaid && !isOpen) return isEither ? ['payments', 'invoices'] : ['payments']
  if (isOffer(names)) return ['estimates']
  if (has('invoice') || (isOpen && has('amount'))) return ['invoices']
  const isJob = names.some((name) =>
    name.some((word) => ['job', 'project', 'workorder', 'scope', 'contract'].includes(word)),
  )
  return [isJob ? 'projects' : 'customers']
}

/** The resources that a file of a subject can tell of. */
const TOLD: Record<Mapped, Mapped[]> = {
  customers: ['customers'],
  projects: ['customers', 'projects'],
  estimates: ['customers', 'projects', 'estimates'],
  invoices: ['customers', 'projects', 'invoices'],
  payments: ['customers', 'projects', 'payments'],
}

const shareOf = (kind: Kind, { are, filled }: Profile) => `${are[kind]} of ${filled} cells are ${KIND_NAMES[kind]}`

const PART_OF_PLACE = ['city', 'town', 'state', 'province', 'zip', 'postal', 'postcode', 'zipcode']

/** Returns the names of columns, where `City` beside `Job Address` is that of the job. */
function inContext(header: string[]): string[] {
  let owner: Mapped | undefined
  return header.map((column) => {
    const words = wordsIn(column)
    const named = (['projects', 'customers'] as const).find((each) =>
      words.some((word) => WORDS_OF[each].includes(word)),
    )
    if (words.includes('address') || words.includes('street')) owner = named
    const isPart = named === undefined && words.some((word) => PART_OF_PLACE.includes(word))
    return isPart && owner ? `${WORDS_OF[owner][0]} ${column}` : column
  })
}

type Candidate = { at: number; target: Target; confidence: number; reason: string }

/** Rates a field for a column by its name and its cells; undefined when either speaks against it. */
function rate(column: string, at: number, profile: Profile, target: Target, subject: Mapped): Candidate | undefined {
  const kind = WANTED[target.content]
  const [named, fit] = [nameFits(column, target, subject), fitOf(target.content, profile)]
  const shown =
    kind && profile.filled > 0 ? `; ${shareOf(kind, profile)}` : profile.filled === 0 ? '; the column is empty' : ''
  if (named > 0) {
    const confidence = Math.round(100 * named * (0.35 + 0.65 * fit)) / 100
    return confidence < LEAST ? undefined : { at, target, confidence, reason: `its name says it${shown}` }
  }
  const isPlain = target.field === 'customers.email' || target.field === 'customers.phone'
  if (!isPlain || fit < 0.9 || profile.filled === 0 || nameFits(`${column} phone email`, target, subject) === 0)
    return undefined
  return { at, target, confidence: target.content === 'email' ? 0.75 : 0.6, reason: `its cells say it${shown}` }
}

/** Gives each column its best field; a field that takes one column goes to the one that is surest of it. */
function choose(candidates: Candidate[]): Map<number, Candidate> {
  const chosen = new Map<number, Candidate>()
  const taken = new Set<string>()
  for (const each of [...candidates].sort((a, b) => b.confidence - a.confidence || a.at - b.at)) {
    const { at, target } = each
    const isWhole = target.name === 'wholeAddress' && taken.has(`${target.resource}.address`)
    if (chosen.has(at) || isWhole || (taken.has(target.field) && !target.several)) continue
    chosen.set(at, each)
    taken.add(target.field)
  }
  return chosen
}

/**
 * Proposes which field each column fills, by its name and its cells.
 * @param rows the first rows
 * @param subject what the rows are
 */
export function propose(header: string[], rows: string[][], subject = subjectsOf(header)[0]): Proposed[] {
  const profiles = header.map((_, at) => profileOf(rows.map((cells) => cells[at] ?? '')))
  const targets = TARGETS.filter(({ resource }) => TOLD[subject].includes(resource))
  const names = inContext(header)
  const candidates = header.flatMap((column, at) => {
    const profile = profiles[at]
    // Of two columns with one name, only the first can be read.
    if (!profile || column.trim() === '' || header.indexOf(column) < at) return []
    return targets.flatMap((target) => rate(names[at] ?? column, at, profile, target, subject) ?? [])
  })
  const chosen = choose(candidates)
  return header.map((column, at) => {
    const { samples = [], filled = 0 } = profiles[at] ?? {}
    const found = chosen.get(at)
    if (found) return { column, field: found.target.field, samples, confidence: found.confidence, reason: found.reason }
    const why =
      header.indexOf(column) < at
        ? 'an earlier column has this name'
        : filled === 0
          ? 'the column is empty'
          : 'nothing fits it'
    return { column, field: null, samples, confidence: 0, reason: why }
  })
}

/** Puts what a person chose in the place of what was proposed. */
export const correct = (proposed: Proposed[], chosen: readonly Assigned[]): Proposed[] =>
  proposed.map((each) => {
    const given = chosen.find(({ column }) => column.trim().toLowerCase() === each.column.trim().toLowerCase())
    if (!given) return each
    const field = given.field === null ? null : (findTarget(given.field)?.field ?? null)
    return { ...each, field, confidence: 1, reason: 'chosen' }
  })
