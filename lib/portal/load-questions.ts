/** A question that has to be answered before a load writes anything. */
export type Question = {
  kind: 'dates' | 'words' | 'columns' | 'kind' | 'overwriting' | 'renamed'
  key: string
  file: string
  line: number | null
  column: string | null
  value: string | null
  question: string
  choices: string[]
}

/** The answers to questions, by their keys. */
export type Answers = Record<string, string>

const ORDERS: Answers = {
  mdy: 'Month first (03/02 is March 2)',
  dmy: 'Day first (03/02 is February 3)',
}

const spaced = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')

/** Returns a choice as a person reads it. */
export function choiceText(kind: Question['kind'], choice: string): string {
  if (choice === 'none' || choice === 'ignore') return 'Leave out'
  const text = (kind === 'dates' && ORDERS[choice]) || spaced(choice)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns a question without the advice that a menu makes needless. */
export const sentenceOf = ({ question }: Question): string =>
  question.replace(/ (Choose one of|Name a field,|Say it with) .*$/s, '')

/** Returns the place in the files that a question is about, and what stands there. */
export function exampleOf({ file, line, value }: Question): string {
  const place = line === null ? file : `${file}, line ${line}`
  return value === null ? place : `${place}: “${value}”`
}

/** Returns each question once, however many files ask it. */
export const eachOnce = (questions: readonly Question[]): Question[] =>
  questions.filter(({ key }, at) => questions.findIndex((other) => other.key === key) === at)

const PREFIX = 'answer:'

/** Returns the name of the field that takes the answer to a question. */
export const fieldOf = (key: string): string => `${PREFIX}${key}`

/** Returns the answers of a form. */
export const answersIn = (form: FormData): Answers =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(PREFIX) && typeof value === 'string' && value !== '' ? [[name.slice(PREFIX.length), value]] : [],
    ),
  )
