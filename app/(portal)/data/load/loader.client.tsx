'use client'

import { useEffect, useRef } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Check, Input, Select } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import type { LoadEvent } from '@/lib/portal/load-events'
import { type HeldDraft, type Options, useDraft } from './draft.client'
import { DropZone } from './drop-zone.client'
import type { FieldGroup } from './field-options'
import { Held } from './held.client'
import { FileProgress } from './progress'
import { Questions } from './questions.client'
import { Report } from './report'

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
