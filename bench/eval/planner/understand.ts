import type { Form } from '../question'
import { type Range, readDates } from './dates'
import { stemsOf, wordsOf } from './words'

/** The content of a question, without knowing any tool. */
export type Understood = {
  text: string
  today: string
  form: Form
  /** Stems in order; names, dates and amounts left out. */
  stems: readonly string[]
  words: ReadonlySet<string>
  /** Stems of what is asked for: those of the labels of figures, or of the noun behind `which`. */
  asked: ReadonlySet<string>
  ranges: readonly Range[]
  /** The way a person calls something: a name, a number, a street, a phone number, a text in quotes. */
  entity: string | undefined
  /** The text to be written, in the words given in quotes, and how somebody is reached; only of something to be done. */
  message: string | undefined
  phone: string | undefined
  over: number | undefined
  under: number | undefined
  /** The number asked for, and which end of the order they are at. */
  top: number | undefined
  end: 'greatest' | 'least' | undefined
  /** The order: by a moment (`oldest`) or a measure (`biggest`). */
  endOf: 'time' | 'measure'
  sizes: readonly number[]
  rise: number | undefined
}

/** Reports whether the tools use a word; `plainly`: other than as a name, in an example for instance. */
type Known = (word: string, plainly?: boolean) => boolean

const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ')
const GREATEST = /\b(most|biggest|largest|highest|best|greatest|top)\b/i
const LATEST = /\b(latest|newest|most recent|last payment|last time)\b/i
const LEAST = /\b(least|smallest|lowest|cheapest)\b/i
const OLDEST = /\b(oldest|earliest|first|longest)\b/i

const CALLED = [
  /"([^"]+)"/,
  /(\(\d{3}\) \d{3}-\d{4})/,
  /\b([A-Z]{1,3}-\d[\w-]*)\b/,
  /\b(\d{2}-\d{3,}(?:-\d+)?)\b/,
  /\b(\d{2,5} (?:[A-Z][\w.]*\s?){2,4})/,
]
/** Words that are written with a capital and name nobody. */
const CAPITALS =
  /^(I|The|A|An|Set|Put|Search|How|What|Which|Who|When|Where|Find|Price|Until|Record|Add|Do|Does|Did|Is|Are|In)$/

/** A run of capitalized words in the middle of a sentence: a name, unless the tools use its words; of several words, as words of the language. */
function nameIn(text: string, isKnown: Known): string | undefined {
  const runs = text.match(/\p{Lu}[\p{L}.’'-]*(?:,? (?:&|\p{Lu})[\p{L}.’'-]*|,? \p{Lu}\p{L}+\.?)*/gu) ?? []
  const names = runs.map((run) => {
    const words = run.split(' ')
    while (words[0] !== undefined && CAPITALS.test(words[0])) words.shift()
    return words.join(' ').replace(/[.?!,]$/, '')
  })
  const isName = (words: string[]) => words.length > 0 && !words.every((word) => isKnown(word, words.length > 1))
  return names.filter((name) => isName(wordsOf(name))).sort((a, b) => b.length - a.length)[0]
}

const money = (pattern: RegExp, text: string): number | undefined => {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found.replaceAll(',', ''))
}

function topIn(text: string): number | undefined {
  const found = new RegExp(`\\b(?:(\\d{1,2})|(${NUMBERS.slice(1).join('|')}))\\b(?! (?:days|x|ft|by))`, 'i').exec(text)
  if (!found) return undefined
  return found[1] === undefined ? NUMBERS.indexOf((found[2] ?? '').toLowerCase()) : Number(found[1])
}

const labelsOf = (form: Form) => (form.kind === 'figures' ? form.labels : [])

/** Returns what is called by a name; of something to be done also the words to be written and how somebody is reached. */
function namedIn(text: string, writes: boolean, isKnown: Known): Pick<Understood, 'entity' | 'message' | 'phone'> {
  if (!writes) {
    const called = CALLED.map((pattern) => pattern.exec(text)?.[1]?.trim()).find(Boolean)
    return { entity: called ?? nameIn(text, isKnown), message: undefined, phone: undefined }
  }
  const message = /"([^"]+)"/.exec(text)?.[1]
  const phone = /\(\d{3}\) \d{3}-\d{4}/.exec(text)?.[0]
  return { entity: nameIn(message === undefined ? text : text.replace(message, ' '), isKnown), message, phone }
}

/** Returns which end of an order is asked for, and whether the order is one of time. */
function endIn(text: string): Pick<Understood, 'end' | 'endOf'> {
  const endOf = LATEST.test(text) || OLDEST.test(text) ? 'time' : 'measure'
  if (GREATEST.test(text) || LATEST.test(text)) return { end: 'greatest', endOf }
  return { end: LEAST.test(text) || OLDEST.test(text) ? 'least' : undefined, endOf }
}

/** Amounts beyond which something counts: like dates, they are no words to look for. */
const OVER = /(?:over|above|more than|at least) \$([\d,]+(?:\.\d+)?)/i
const UNDER = /(?:under|below|less than|at most) \$([\d,]+(?:\.\d+)?)/i

const HEAD =
  /\b(?:which|how many|what)\s+(.*?)(?:\b(?:are|is|do|does|did|were|was|have|has|came|that|with|of|to|owe|owes|start|starts|paid)\b|[,?.]|$)/i

/** The words behind `which`, or customers behind `who`: what is asked for. */
const headOf = (text: string): string => (/^who\b/i.test(text) ? 'customer' : (HEAD.exec(text)?.[1] ?? ''))

/**
 * Reads a question.
 * @param isKnown whether the tools themselves use a word: such a word, though capitalized, names nobody
 */
export function understand(text: string, form: Form, today: string, isKnown: Known): Understood {
  const { ranges, rest } = readDates(text, today)
  const { entity, message, phone } = namedIn(rest, form.kind === 'change', isKnown)
  const plain = entity === undefined ? rest : rest.replace(entity, ' ')
  const stems = stemsOf(plain.replace(OVER, ' ').replace(UNDER, ' '))
  const labels = labelsOf(form).flatMap(stemsOf)
  const { end, endOf } = endIn(plain)
  const [, length, width] = /(\d+)\s*(?:x|by)\s*(\d+)/i.exec(plain) ?? []
  const top = topIn(plain.replace(/\$[\d,]+/g, '')) ?? (form.kind === 'list' ? 1 : undefined)
  return {
    text,
    today,
    form,
    stems,
    words: new Set([...stems, ...labels]),
    asked: new Set(labels.length > 0 ? labels : stemsOf(headOf(plain))),
    ranges,
    entity,
    message,
    phone,
    over: money(OVER, plain),
    under: money(UNDER, plain),
    top: end ? top : undefined,
    end,
    endOf,
    sizes: length === undefined ? [] : [Number(length), Number(width)],
    rise: money(/\brise of ([\d,]+)/i, plain),
  }
}
