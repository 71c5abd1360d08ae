import { Field } from '@/app/ui/field'
import { Select } from '@/app/ui/input'
import { cleanText } from '@/lib/core/clean'
import {
  type Answers,
  choiceText,
  eachOnce,
  exampleOf,
  fieldOf,
  type Question,
  sentenceOf,
} from '@/lib/portal/load-questions'
import { type FieldGroup, FieldOptions } from './field-options'

type Props = { questions: readonly Question[]; answers: Answers; groups: FieldGroup[] }

/** The heading above the questions of a load. */
export const QUESTIONS = 'Questions before loading'

/** Reports whether answers help; some questions only another file answers. */
export const canBeAnswered = (questions: readonly Question[]): boolean =>
  questions.some(({ choices }) => choices.length > 0)

/** A menu of answers for each question; what was answered before is sent again. */
export function QuestionFields({ questions, answers, groups }: Props) {
  const asked = eachOnce(questions)
  const others = Object.entries(answers).filter(([key]) => !asked.some((question) => question.key === key))
  return (
    <>
      {others.map(([key, answer]) => (
        <input key={key} type="hidden" name={fieldOf(key)} value={answer} />
      ))}
      {asked.map((question) =>
        question.choices.length === 0 ? (
          <p key={question.key}>{cleanText(question.question)}</p>
        ) : (
          <Field
            key={question.key}
            label={cleanText(sentenceOf(question))}
            hint={cleanText(exampleOf(question))}
            required
          >
            {(tied) => (
              <Select {...tied} required name={fieldOf(question.key)} defaultValue={answers[question.key] ?? ''}>
                <option value="">Choose an answer</option>
                <Options question={question} groups={groups} />
              </Select>
            )}
          </Field>
        ),
      )}
    </>
  )
}

function Options({ question: { kind, choices }, groups }: { question: Question; groups: FieldGroup[] }) {
  if (kind === 'columns')
    return (
      <>
        <option value="none">Leave out</option>
        <FieldOptions groups={groups} />
      </>
    )
  return choices.map((choice) => (
    <option key={choice} value={choice}>
      {choiceText(kind, choice)}
    </option>
  ))
}
