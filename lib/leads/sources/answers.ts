import { type JsonObject, textOf } from './define'

/** An answered question of a body: where it stands, what it is called there, and what it says. */
export type Answer = { path: string; label: string; text: string }

/** Names under which senders put a question next to its answer, and the answer next to its question. */
const QUESTIONS = [
  'question',
  'question_text',
  'label',
  'title',
  'column_name',
  'fieldName',
  'field_name',
  'name',
  'key',
]
const VALUES = [
  'answer',
  'answer_text',
  'answers',
  'value',
  'values',
  'string_value',
  'field_value',
  'response',
  'text',
]

/** Names of inner fields that say nothing without the name around them. */
const GENERIC = new Set(['full', 'value', 'values', 'text', 'label', 'labels', 'formatted', 'raw', 'other'])

/** The most answers, more than any form has questions; what follows stays with the delivery. */
const MOST_ANSWERS = 500

const DATE = ['year', 'month', 'day']

/** Returns what a form's parts of one answer are together: a date, or a phone number with its area code. */
function joined(value: JsonObject): string | undefined {
  const names = Object.keys(value)
  if (names.length === 3 && DATE.every((name) => name in value)) {
    return DATE.map((name) => textOf(value[name]) ?? '?').join('-')
  }
  const [area, phone] = [textOf(value.area), textOf(value.phone)]
  return area && phone ? `(${area}) ${phone}` : textOf(value.full)
}

const OPTION_TEXTS = ['text', 'label', 'name', 'title', 'value']

/** Returns an answer with the texts of the options that it names by their ids, as a form lists them beside it. */
function labeled(answer: unknown, options: unknown): unknown {
  if (!Array.isArray(options)) return answer
  const texts = new Map(
    options.flatMap((option) => {
      const [id, text] = [
        textOf(Object(option).id),
        OPTION_TEXTS.map((name) => textOf(Object(option)[name])).find(Boolean),
      ]
      return id === undefined || text === undefined ? [] : [[id, text] as const]
    }),
  )
  const shown = (each: unknown) => texts.get(textOf(each) ?? '') ?? each
  return Array.isArray(answer) ? answer.map(shown) : shown(answer)
}

function ofObject(value: JsonObject, path: string, label: string, skip: ReadonlySet<string>, into: Answer[]): void {
  const together = joined(value)
  if (together !== undefined) {
    into.push({ path, label, text: together })
    return
  }
  const answer = VALUES.find((name) => name in value)
  const question = QUESTIONS.map((name) => textOf(value[name])).find(Boolean)
  if (answer !== undefined && (question !== undefined || answer === 'value')) {
    collect(labeled(value[answer], value.options), path, question ?? label, skip, into)
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    if (skip.has(name)) continue
    const inside = path === '' ? name : `${path}.${name}`
    collect(inner, inside, label !== '' && GENERIC.has(name) && textOf(inner) !== undefined ? label : name, skip, into)
  }
}

function collect(value: unknown, path: string, label: string, skip: ReadonlySet<string>, into: Answer[]): void {
  if (into.length >= MOST_ANSWERS) return
  const text = textOf(value)
  if (text !== undefined) into.push({ path, label, text })
  else if (Array.isArray(value)) for (const item of value) collect(item, path, label, skip, into)
  else if (typeof value === 'object' && value !== null) ofObject({ ...value }, path, label, skip, into)
}

/**
 * Returns every answer of a body, however deep: names with texts, pairs of question and answer, and arrays of both.
 * @param skip names whose contents are not the customer's, such as the form's definition
 */
export function answersIn(body: JsonObject, skip: readonly string[] = []): Answer[] {
  const answers: Answer[] = []
  const skipped = new Set(skip)
  for (const [name, value] of Object.entries(body)) if (!skipped.has(name)) collect(value, name, name, skipped, answers)
  return answers
}
