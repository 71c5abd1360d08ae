import { parseEmail, parsePhone, parseZip } from '@/lib/core/contact'
import { withoutEnd } from '@/lib/core/text'
import { type Answer, answersIn } from './answers'
import { addNotes, type Draft, type DraftField, draftFrom, type JsonObject, type LeadSource, set } from './define'
import { isAboutForm, isOfOther, isSecondLine, isSubmissionId, meaningOf, type Owner, ownerOf, wordsOf } from './labels'

type Read = Answer & { words: string[]; isAboutForm: boolean; owner: Owner }

/** The fields that say who a person is. */
const OF_PERSON = new Set<DraftField>(['firstName', 'lastName', 'fullName', 'email', 'phone'])

/** Reports whether a field of the lead may have an answer: another's name and email are never the lead's. */
const mayBe = (field: DraftField, { owner }: Read): boolean =>
  owner === 'own' || owner === 'unclear' || field === 'externalId' || (owner !== 'other' && !OF_PERSON.has(field))

/** Reports whether an answer is the text that Facebook's lead form test puts in all fields. */
const isTrial = ({ text }: Answer) => /^<test lead:/i.test(text)

/** Signs by which an answer is recognized whose name is a whole sentence: a word in it, and what it says. */
const GUESSES: [field: DraftField, word: RegExp, isOne: (text: string) => boolean][] = [
  ['email', /^/, (text) => parseEmail(text) !== undefined],
  ['phone', /^(?:phone|mobile|cell|tel|telephone|number|reach|call|text)$/, (text) => parsePhone(text) !== undefined],
  ['zipCode', /^(?:zip|zipcode|postal|postcode)$/, (text) => parseZip(text) !== undefined],
  ['address', /^(?:address|street)$/, (text) => text.length <= 200],
  ['city', /^(?:city|town)$/, (text) => text.length <= 100],
  ['service', /^services?$/, (text) => text.length <= 100],
]

/** The most answers tried for a field; a form with more that ask for the same has nobody to ask. */
const MOST_TRIED = 20

const isName = ({ words, text }: Read) => words.includes('name') && text.length <= 200

const SAME_COUNTRY = /^(?:us|usa|u\.s\.a?\.?|united states(?: of america)?|ca|can|canada)$/i

const NOTE_LABEL = 200

/** Returns what an answer is called in the notes. */
const questionOf = (label: string) => withoutEnd(label.slice(0, NOTE_LABEL), /[:\s]/)

/** The best answer of a field, and how good: one that is the lead's own before any other, then by its name. */
type Best = { rank: number; answer: Read }

const UNCLEAR = 1_000

/** Returns how well an answer's name says that it is a field's; the smallest is the best. */
function meaningIn(answer: Read): { field: DraftField; rank: number } | undefined {
  const meaning = meaningOf(answer.words)
  if (!meaning || !mayBe(meaning.field, answer)) return undefined
  // Ids inside of the body are ids of something else.
  if (meaning.field === 'externalId' && answer.path.includes('.') && !isSubmissionId(answer.words)) return undefined
  const isClear = answer.owner === 'own' || meaning.field === 'externalId'
  return { field: meaning.field, rank: meaning.rank + (isClear ? 0 : UNCLEAR) }
}

/** Leaves out the parts of a name that is less clearly the lead's than the whole name: two people would become one. */
function withoutOtherName(best: Map<DraftField, Best>): void {
  const whole = best.get('fullName')
  for (const part of ['firstName', 'lastName'] as const) {
    const found = best.get(part)
    if (whole && found && whole.rank < UNCLEAR && found.rank >= UNCLEAR) best.delete(part)
  }
}

/** Takes the answer that a field's best name has; messages are all kept, of other fields the first of equals counts. */
function takeNamed(draft: Draft, answers: Read[], used: Set<Read>): void {
  const best = new Map<DraftField, Best>()
  for (const answer of answers) {
    const meaning = meaningIn(answer)
    if (!meaning) continue
    const known = best.get(meaning.field)
    if (!known || meaning.rank < known.rank) best.set(meaning.field, { rank: meaning.rank, answer })
  }
  withoutOtherName(best)
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
    const tried = left
      .filter((answer) => !used.has(answer) && mayBe(field, answer) && asks(answer))
      .filter((answer) => !OF_PERSON.has(field) || !isOfOther(answer.words))
      .slice(0, MOST_TRIED)
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

/** Puts what no field takes into the notes, question and answer; what is about the form stays with the delivery. */
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
    addNotes(draft, [isMessage ? text : `${questionOf(label)}: ${text}`], path)
  }
  draft.unread = unread
}

/** Reports whether a name inside of a page or a place is its own: its title, or how it is reached. */
const isOfThing = (words: string[]): boolean =>
  /^(?:name|title|type)$/.test(words.join('')) || OF_PERSON.has(meaningOf(words)?.field ?? 'notes')

/** The places of a body that have a name or an id of their own: a location there is the sender's account, not where the work is. */
const accountsIn = (answers: Answer[]): ReadonlySet<string> =>
  new Set(
    answers
      .filter(({ label }) => /^(?:id|name|email|phone)$/.test(wordsOf(label).join('')))
      .map(({ path }) => path.split('.').slice(0, -1).join('.')),
  )

/** Reads answers by what they are called. `draft` has what the sender's own format already said. */
export function readAnswers(draft: Draft, found: Answer[]): Draft {
  const accounts = accountsIn(found)
  const answers = found.map((answer) => {
    const words = wordsOf(answer.label)
    const containers = answer.path.split('.').slice(0, -1)
    const around = ownerOf(containers)
    const owner = around === 'location' && accounts.has(containers.join('.')) ? 'other' : around
    const isAside = owner === 'other' || ((owner === 'thing' || owner === 'location') && isOfThing(words))
    return { ...answer, words, owner, isAboutForm: isAside || isAboutForm(answer.label, words) }
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

/** The particulars of a sender whose bodies are answers under names that people chose. */
type Sender = {
  name: string
  title: string
  recognizes(body: JsonObject): boolean
  /** Paths where the sender puts its own fields; the first path with text counts. */
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
