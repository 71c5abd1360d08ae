import { parseEmail, parsePhone, parseZip } from '@/lib/core/contact'
import { type Answer, answersIn } from './answers'
import { addNotes, type Draft, type DraftField, draftFrom, type JsonObject, type LeadSource, set } from './define'
import { isAboutForm, isSecondLine, meaningOf, wordsOf } from './labels'

type Read = Answer & { words: string[]; isAboutForm: boolean }

/** Facebook's test of a lead form fills every field with such a text. */
const isTrial = ({ text }: Answer) => /^<test lead:/i.test(text)

/** How an answer is recognized whose name is a whole sentence: by a word in it, and by what it says. */
const GUESSES: [field: DraftField, word: RegExp, isOne: (text: string) => boolean][] = [
  ['email', /^/, (text) => parseEmail(text) !== undefined],
  ['phone', /^(?:phone|mobile|cell|tel|telephone|number|reach|call|text)$/, (text) => parsePhone(text) !== undefined],
  ['zipCode', /^(?:zip|zipcode|postal|postcode)$/, (text) => parseZip(text) !== undefined],
  ['address', /^(?:address|street)$/, (text) => text.length <= 200],
  ['city', /^(?:city|town)$/, (text) => text.length <= 100],
  ['service', /^services?$/, (text) => text.length <= 100],
]

/** So many answers are tried for a field; a form with more that ask for the same has nobody to ask. */
const MOST_TRIED = 20

/** Names of other people and things: not the customer's. */
const OTHERS = /^(?:company|business|form|campaign|ad|page|spouse|file|user|product|brand|agent|partner)$/

const isName = ({ words, text }: Read) =>
  words.includes('name') && !words.some((word) => OTHERS.test(word)) && text.length <= 200

const SAME_COUNTRY = /^(?:us|usa|u\.s\.a?\.?|united states(?: of america)?|ca|can|canada)$/i

const NOTE_LABEL = 200

/** Takes the answer that a field's best name has; messages are all kept, of other fields the first of equals counts. */
function takeNamed(draft: Draft, answers: Read[], used: Set<Read>): void {
  const best = new Map<DraftField, { rank: number; answer: Read }>()
  for (const answer of answers) {
    const meaning = meaningOf(answer.words)
    // Ids inside of the body are ids of something else.
    if (!meaning || (meaning.field === 'externalId' && answer.path.includes('.'))) continue
    const known = best.get(meaning.field)
    if (!known || meaning.rank < known.rank) best.set(meaning.field, { rank: meaning.rank, answer })
  }
  for (const [field, { answer }] of best) {
    if (draft.values[field] !== undefined) continue
    set(draft, field, answer.text, answer.path)
    used.add(answer)
  }
}

/** Fills what no name said, from the answers whose names are sentences. */
function takeGuessed(draft: Draft, answers: Read[], used: Set<Read>): void {
  const left = answers.filter((answer) => !used.has(answer) && !answer.isAboutForm)
  const take = (field: DraftField, asks: (answer: Read) => boolean, isOne: (answer: Read) => boolean) => {
    if (draft.values[field] !== undefined) return
    const tried = left.filter((answer) => !used.has(answer) && asks(answer)).slice(0, MOST_TRIED)
    const found = tried.find(isOne)
    if (!found) return
    set(draft, field, found.text, found.path)
    used.add(found)
  }
  for (const [field, word, isOne] of GUESSES) {
    take(
      field,
      ({ words, text }) => words.some((each) => word.test(each)) && (field !== 'email' || text.includes('@')),
      ({ text }) => isOne(text),
    )
  }
  if (draft.values.firstName === undefined && draft.values.lastName === undefined) take('fullName', isName, () => true)
}

function takeSecondLine(draft: Draft, answers: Read[], used: Set<Read>): void {
  const found = answers.find((answer) => !used.has(answer) && isSecondLine(answer.words))
  const { address } = draft.values
  if (!found || address === undefined) return
  set(draft, 'address', `${address}, ${found.text}`, `${draft.from.address}, ${found.path}`)
  used.add(found)
}

/** What no field takes goes to the notes, question and answer; what is about the form stays with the delivery. */
function noteRest(draft: Draft, answers: Read[], used: Set<Read>): void {
  const taken = new Set([...used].map(({ text }) => text))
  const unread: string[] = []
  const lines = new Map<string, { texts: string[]; path: string; isMessage: boolean }>()
  for (const { path, label, words, text, isAboutForm } of answers.filter((answer) => !used.has(answer))) {
    const isCountry = words.at(-1) === 'country' && SAME_COUNTRY.test(text)
    if (isAboutForm || isCountry || taken.has(text)) unread.push(path)
    else {
      const isMessage = meaningOf(words)?.field === 'notes'
      const line = lines.get(label) ?? { texts: [], path, isMessage }
      line.texts.push(text)
      lines.set(label, line)
    }
  }
  for (const [label, { texts, path, isMessage }] of lines) {
    const text = texts.join(', ')
    addNotes(draft, [isMessage ? text : `${label.replace(/[:\s]+$/, '').slice(0, NOTE_LABEL)}: ${text}`], path)
  }
  draft.unread = unread
}

/** Reads answers by what they are called. `draft` has what the sender's own format already said. */
export function readAnswers(draft: Draft, found: Answer[]): Draft {
  const answers = found.map((answer) => {
    const words = wordsOf(answer.label)
    return { ...answer, words, isAboutForm: isAboutForm(answer.label, words) }
  })
  if (answers.some(isTrial)) draft.kind = 'test'
  const known = new Set(Object.values(draft.from).flatMap((paths) => paths.split(', ')))
  const used = new Set(answers.filter(({ path }) => known.has(path)))
  takeNamed(
    draft,
    answers.filter((answer) => !used.has(answer)),
    used,
  )
  takeGuessed(draft, answers, used)
  takeSecondLine(draft, answers, used)
  noteRest(draft, answers, used)
  return draft
}

/** What is particular about a sender whose bodies are answers under names that people chose. */
type Sender = {
  name: string
  title: string
  recognizes(body: JsonObject): boolean
  /** Where the sender puts its own fields; the first path with text counts. */
  paths?: Partial<Record<DraftField, string[]>>
  /** The source of its leads where the body names none; `always` where what the body says is not meant. */
  leadSource?: string
  always?: boolean
  /** Names whose contents are not the customer's. */
  skip?: readonly string[]
  answers?(body: JsonObject): Answer[]
}

/** A lead source that reads a sender's own fields by their paths, and all others by their names. */
export function formSource({
  name,
  title,
  recognizes,
  paths = {},
  skip,
  leadSource,
  always,
  answers,
}: Sender): LeadSource {
  return {
    name,
    title,
    recognizes,
    read: (body) => {
      const draft = draftFrom(body, paths)
      if (always) set(draft, 'leadSource', leadSource, 'the address it was posted to')
      readAnswers(draft, answers ? answers(body) : answersIn(body, skip))
      if (draft.values.leadSource === undefined) set(draft, 'leadSource', leadSource, 'the address it was posted to')
      return draft
    },
  }
}
