import * as z from 'zod'
import { type FieldFault, ServiceError } from '@/lib/core/errors'
import { jsonOf } from '@/lib/core/json'
import type { Question } from '@/lib/load/questions'
import type { LoadReport } from '@/lib/load/report'

const MOST_ANSWERS = 200
const MOST_BYTES = 4_096

/** The answers to a load's questions, by their keys. */
export const Answers = z
  .record(z.string().max(300), z.string().max(300))
  .refine((answers) => Object.keys(answers).length <= MOST_ANSWERS, `must have at most ${MOST_ANSWERS} answers`)

const SHAPE = 'must be a JSON object of texts, such as {"dates":"mdy"}'

/** The answers as the text of a query parameter. */
export const AnswersText = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= MOST_BYTES, `must have at most ${MOST_BYTES} bytes`)
  .meta({ maxLength: MOST_BYTES })
  .transform(jsonOf)
  .pipe(z.record(z.string(), z.string(), { error: SHAPE }))
  .pipe(Answers)

/** Returns a question without the advice for the command. */
export const asked = <Asked extends Pick<Question, 'question'>>(question: Asked): Asked => ({
  ...question,
  question: question.question.split(' Say it with --', 1)[0] ?? question.question,
})

/** Returns a report with its questions as a person reads them who has no command. */
export const withoutCommand = <Report extends Pick<LoadReport, 'questions'>>(report: Report): Report =>
  report.questions ? { ...report, questions: report.questions.map(asked) } : report

/** Reports whether nothing was written, because something has to be answered first. */
export const isAsking = ({ questions = [] }: Pick<LoadReport, 'questions'>): boolean => questions.length > 0

const faultOf = (question: Question): FieldFault => {
  const { key: field, question: message, choices } = asked(question)
  return { field, message: choices.length > 0 && choices.length <= 12 ? `${message} (${choices.join(', ')})` : message }
}

/** The error of a load over HTTP that has questions: `fields` names each by its key. */
export const unanswered = (message: string, questions: readonly Question[]): ServiceError =>
  new ServiceError('conflict', message, { fields: questions.map(faultOf) })
