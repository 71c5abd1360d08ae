'use client'

import { type FormEvent, useEffect, useId, useRef } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Check, Input, Select } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { cleanText } from '@/lib/core/clean'
import type { LoadEvent } from '@/lib/portal/load-events'
import { type Answers, answersIn, type Question } from '@/lib/portal/load-questions'
import { type HeldDraft, type Options, useDraft } from './draft.client'
import { DropZone } from './drop-zone.client'
import type { FieldGroup } from './field-options'
import { Held } from './held.client'
import { canBeAnswered, QUESTIONS, QuestionFields } from './questions'
import { Report } from './report'

/** The progress of a file: how much of it has been uploaded, then the last event about its rows. */
export type Progress = { name: string; sent: number; event: LoadEvent | undefined }

const count = (rows: number) => `${rows.toLocaleString('en-US')} rows`

/** Returns a file's current step in words and how much of it is done; undefined when unknown. */
function stepOf({ sent, event }: Progress): { words: string; share: number | undefined } {
  if (event?.step === 'failed') return { words: 'not loaded', share: 0 }
  if (event?.step === 'done')
    return { words: `done, ${count(event.files.reduce((sum, { rows }) => sum + rows, 0))}`, share: 1 }
  // A cell may contain line breaks, so there are at most as many rows as lines.
  if (event?.step === 'rows')
    return { words: `loading, ${count(event.rows)}`, share: event.lines === 0 ? undefined : event.rows / event.lines }
  if (sent === 0) return { words: 'waiting', share: 0 }
  return sent < 1
    ? { words: `uploading, ${Math.round(sent * 100)}%`, share: sent }
    : { words: 'reading', share: undefined }
}

/** A file's progress bar: first the upload, then the rows. */
function FileProgress({ progress }: { progress: Progress }) {
  const id = useId()
  const { words, share } = stepOf(progress)
  return (
    <div className="max-w-prose">
      <p className="mb-1 flex justify-between gap-4">
        <span className="font-mono text-sm" id={id}>
          {cleanText(progress.name)}
        </span>
        <span className="text-sm text-quiet">{words}</span>
      </p>
      <progress
        aria-labelledby={id}
        className="block h-2 w-full accent-focus"
        max={1}
        {...(share !== undefined && { value: share })}
      />
      {progress.event?.step === 'failed' && (
        <p role="alert" className="mt-1 text-danger">
          {progress.event.error} {progress.event.requestId && <code>{progress.event.requestId}</code>}
        </p>
      )}
    </div>
  )
}

type QuestionsProps = {
  questions: readonly Question[]
  answers: Answers
  groups: FieldGroup[]
  onAnswer: (answers: Answers) => void
}

/** Asks what the files do not settle; the answers begin another look. */
function Questions({ onAnswer, ...asked }: QuestionsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    onAnswer(answersIn(new FormData(event.currentTarget)))
  }
  return (
    <section aria-labelledby="questions" className="grid max-w-prose gap-4">
      <h2 id="questions" ref={heading} tabIndex={-1}>
        {QUESTIONS}
      </h2>
      <Notice title="Nothing was written yet.">
        <p>The files do not say this themselves. The answers are kept for the next files once these are loaded.</p>
      </Notice>
      <form onSubmit={submitted} className="grid gap-4">
        <QuestionFields {...asked} />
        {canBeAnswered(asked.questions) && (
          <div>
            <Button type="submit" look="main">
              Answer and look again
            </Button>
          </div>
        )}
      </form>
    </section>
  )
}

/** The options that a person sets for the files, beyond their columns. */
function Declared({ options, onChange }: { options: Options; onChange: (part: Partial<Options>) => void }) {
  const { dates, isComplete, mostPercent } = options
  return (
    <div className="grid max-w-prose gap-4">
      <Field label="Order of dates" hint="Only where a file does not show whether 03/04 is in March or in April.">
        {(tied) => (
          <Select
            {...tied}
            className="max-w-80"
            value={dates}
            onChange={({ target: { value } }) => onChange({ dates: value === 'mdy' || value === 'dmy' ? value : '' })}
          >
            <option value="">As the files show it</option>
            <option value="mdy">Month first</option>
            <option value="dmy">Day first</option>
          </Select>
        )}
      </Field>
      <Check
        label="Delete records that these files no longer contain"
        hint="We show the records first."
        checked={isComplete}
        onChange={({ target }) => onChange({ isComplete: target.checked })}
      />
      {isComplete && (
        <Field
          label="Delete at most, in percent"
          hint="If more than this share of a file’s records is missing, nothing is deleted."
        >
          {(tied) => (
            <Input
              {...tied}
              inputMode="decimal"
              value={mostPercent}
              onChange={({ target }) => onChange({ mostPercent: target.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}

const NAMES = { looking: 'Looking through the files', loading: 'Loading the files' }

type Draft = ReturnType<typeof useDraft>

/** The steps that a person can take with the files. */
function Buttons({ draft: { stage, isBusy, answers, run, answer } }: { draft: Draft }) {
  const isLooked = stage === 'looked'
  return (
    <div className="flex flex-wrap gap-2">
      <Button look={isLooked ? 'plain' : 'main'} aria-disabled={isBusy} onClick={() => void run(true)}>
        Look at the changes
      </Button>
      {isLooked && (
        <Button look="main" onClick={() => void run(false)}>
          Load
        </Button>
      )}
      {isLooked && Object.keys(answers).length > 0 && (
        <Button onClick={() => answer({})}>Answer the questions again</Button>
      )}
    </div>
  )
}

type EndedProps = {
  event: Extract<LoadEvent, { step: 'done' }>
  draft: Draft
  contractorId: string
  groups: FieldGroup[]
}

/** What came of a look or a load: its report, or the questions before it. */
function Ended({ event, draft, contractorId, groups }: EndedProps) {
  const { questions } = event
  return (
    <>
      {questions && <Questions questions={questions} answers={draft.answers} groups={groups} onAnswer={draft.answer} />}
      {(!questions || event.faultCount > 0) && (
        <Report events={[event]} refusedAt={{ contractorId, draft: draft.draft ?? '' }} />
      )}
    </>
  )
}

type Props = {
  contractorId: string
  groups: FieldGroup[]
  begun: HeldDraft | undefined
  /** The last load, where it was taken back. */
  takenBack: string | undefined
}

/** Takes files, asks what they do not settle, shows what each was taken for and what a load would do, and loads them once that is confirmed. */
export function Loader({ contractorId, groups, begun, takenBack }: Props) {
  const draft = useDraft(contractorId, begun, takenBack)
  const { held, sending, stage, event, isBusy, choices, options } = draft
  const name = stage === 'looking' || stage === 'loading' ? NAMES[stage] : undefined
  const isFailed = event?.step === 'failed'
  const report = useRef<HTMLDivElement>(null)
  // The button that loads is gone with the files: whoever is at the keyboard goes on at the report.
  useEffect(() => {
    if (stage === 'loaded') report.current?.focus()
  }, [stage])
  return (
    <div className="grid gap-6">
      <DropZone fault={draft.fault} onFiles={(files) => void draft.add(files)} />
      {sending && <FileProgress progress={{ name: sending.name, sent: sending.share, event: undefined }} />}
      {held.map((file) => (
        <Held
          key={file.file}
          file={file}
          groups={groups}
          choices={choices}
          isBusy={isBusy}
          onChoose={(column, field) => draft.choose(file.file, column, field)}
          onDrop={() => void draft.drop(file.file)}
        />
      ))}
      {held.length > 0 && (
        <>
          <Declared options={options} onChange={draft.set} />
          <Buttons draft={draft} />
        </>
      )}
      {(name !== undefined || isFailed) && <FileProgress progress={{ name: name ?? 'The files', sent: 1, event }} />}
      {stage === 'loading' && (
        <Notice>
          <p>The load goes on when you close this page. “The last load” below then shows it.</p>
        </Notice>
      )}
      {event?.step === 'done' && !isBusy && (
        <div ref={report} tabIndex={-1} className="grid gap-6 outline-none">
          <Ended event={event} draft={draft} contractorId={contractorId} groups={groups} />
        </div>
      )}
    </div>
  )
}
