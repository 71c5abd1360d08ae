'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input, Select } from '@/app/ui/input'
import { loadAction, type PlainLoad } from './actions'
import type { FieldGroup } from './field-options'
import { QUESTIONS, QuestionFields } from './questions'
import { Report } from './report'

/** What came of the form before: its report, and the questions of the file that was not loaded. */
function Before({ events, answers, groups }: PlainLoad & { groups: FieldGroup[] }) {
  const questions = events.flatMap((event) => (event.step === 'done' && event.questions) || [])
  return (
    <>
      <Report events={events.filter((event) => event.step === 'done' && !event.questions)} />
      {questions.length > 0 && (
        <section aria-labelledby="plain-questions" className="grid max-w-prose gap-4">
          <h2 id="plain-questions">{QUESTIONS}</h2>
          <p>Answer, choose the same files again, and load them.</p>
          <QuestionFields questions={questions} answers={answers} groups={groups} />
        </section>
      )}
    </>
  )
}

type Props = { contractorId: string; names: string[]; groups: FieldGroup[] }

/** Loads CSV files without script: one form, with the report and the questions of the load before above its fields. */
export function PlainLoader({ contractorId, names, groups }: Props) {
  return (
    <ActionForm action={loadAction} submit="Load" values={{ contractorId }} className="grid gap-4">
      {(fault, _, before) => (
        <>
          {before && <Before {...before} groups={groups} />}
          <Field
            label="CSV files"
            hint={`Any of ${names.join(', ')}; together up to 1 MB without JavaScript.`}
            error={fault('files')}
          >
            {(tied) => <Input type="file" name="files" multiple accept=".csv,text/csv" {...tied} />}
          </Field>
          <Field
            label="Records that are no longer in the files"
            hint="Counting and deleting are for files that contain all records of their kind. Count first."
          >
            {(tied) => (
              <Select name="complete" {...tied}>
                <option value="">Keep</option>
                <option value="count">Count</option>
                <option value="delete">Delete</option>
              </Select>
            )}
          </Field>
          <Field label="Delete at most, in percent" hint="If more than this share is missing, nothing is deleted.">
            {(tied) => <Input name="mostPercent" inputMode="decimal" defaultValue="10" {...tied} />}
          </Field>
        </>
      )}
    </ActionForm>
  )
}
