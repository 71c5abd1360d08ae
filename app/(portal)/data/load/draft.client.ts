'use client'

import { useEffect, useState } from 'react'
import { useRefresh } from '@/app/(portal)/keys/refresh.client'
import { attempt } from '@/app/ui/attempt.client'
import type { DraftRequest, HeldFile, LoadEvent } from '@/lib/portal/load-events'
import type { Answers } from '@/lib/portal/load-questions'
import { runDraft, sendToDraft } from '@/lib/portal/send-draft'
import { toast } from '@/lib/portal/toasts'
import { inspectAction } from './actions'

/** Options that a person sets for their files. */
export type Options = { dates: '' | 'mdy' | 'dmy'; isComplete: boolean; mostPercent: string }
export type Stage = 'idle' | 'sending' | 'looking' | 'looked' | 'loading' | 'loaded'
/** Fields that a person chose, by file and column; '' for none. */
export type Choices = Record<string, string>

export const choiceOf = (file: string, column: string): string => JSON.stringify([file, column])

/** Files that are held already. */
export type HeldDraft = { draft: string; held: HeldFile[] }

/** The field of each column of the files that are mapped, where one is proposed or chosen; of the others the load asks what matters. */
function mapOf(held: HeldFile[], choices: Choices): DraftRequest['map'] {
  const mapped = held.filter(({ taken }) => taken === 'guessed' || taken === 'kept')
  return mapped.flatMap(({ file, columns }) =>
    columns
      .filter(({ column }, at) => column !== '' && columns.findIndex((each) => each.column === column) === at)
      .flatMap(({ column, fields }) => {
        const field = choices[choiceOf(file, column)] ?? fields[0]
        return field === undefined ? [] : [{ file, column, field: field || null }]
      }),
  )
}

type Done = Extract<LoadEvent, { step: 'done' }>

/** The most records that a look found to be missing from a complete file: no more are deleted than a person saw. */
const mostMissing = ({ files }: Done) => Math.max(0, ...files.map(({ removal }) => removal?.missing ?? 0))

/** Says how a load ended; one with refused rows is no success. */
function tell(last: LoadEvent, isLook: boolean): void {
  if (last.step !== 'done') toast('The files were not loaded; the page shows why.', 'danger')
  else if (last.questions) toast('There are questions first. Nothing was written yet.')
  else if (isLook) toast('Looked through. Nothing was written yet.')
  else if (last.faultCount === 0) toast('The files are loaded.')
  else toast(`${last.faultCount.toLocaleString('en-US')} rows were refused; the page shows why.`, 'danger')
}

/** Returns the request for the server. It deletes at most as many records as the person saw. */
function askedFor(
  draft: string,
  map: DraftRequest['map'],
  { dates, isComplete, mostPercent }: Options,
  seen: LoadEvent | undefined,
): Omit<DraftRequest, 'dryRun'> {
  const most = seen?.step === 'done' ? mostMissing(seen) : undefined
  const complete = { delete: true, mostPercent: Number(mostPercent), most }
  return { draft, map, ...(dates !== '' && { dates }), ...(isComplete && { complete }) }
}

/** The files that a person dropped, what they are taken for, and what becomes of them. */
export function useDraft(contractorId: string, begun: HeldDraft | undefined, takenBack: string | undefined) {
  const [refresh] = useRefresh()
  const [draft, setDraft] = useState(begun?.draft)
  const [held, setHeld] = useState<HeldFile[]>(begun?.held ?? [])
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [fault, setFault] = useState<string>()
  const [choices, setChoices] = useState<Choices>({})
  const [answers, setAnswers] = useState<Answers>({})
  const [options, setOptions] = useState<Options>({ dates: '', isComplete: false, mostPercent: '10' })
  const [stage, setStage] = useState<Stage>('idle')
  const [event, setEvent] = useState<LoadEvent>()
  const isBusy = stage === 'sending' || stage === 'looking' || stage === 'loading'

  /** Discards the dry run's result: it no longer shows what would load. */
  function change() {
    setStage('idle')
    setEvent(undefined)
  }

  // A report is of books that are no more once the last load is taken back.
  useEffect(() => {
    if (takenBack === undefined) return
    setStage('idle')
    setEvent(undefined)
  }, [takenBack])

  async function inspect(id: string, drop?: string) {
    const form = new FormData()
    for (const [name, value] of Object.entries({ contractorId, draft: id, ...(drop !== undefined && { drop }) }))
      form.set(name, value)
    const result = await attempt(() => inspectAction(undefined, form))
    if (result?.ok) setHeld(result.data ?? [])
    else setFault(result?.error)
  }

  /** Sends files one after the other, then asks what they are taken for. */
  async function add(files: File[]) {
    if (isBusy || files.length === 0) return
    setFault(undefined)
    setEvent(undefined)
    setStage('sending')
    // What was loaded is no longer held: these files begin another draft.
    let id = stage === 'loaded' ? undefined : draft
    if (stage === 'loaded') setChoices({})
    const faults: string[] = []
    for (const file of files) {
      setSending({ name: file.name, share: 0 })
      const sent = await sendToDraft(contractorId, id, file, (share) => setSending({ name: file.name, share }))
      if ('draft' in sent) id = sent.draft
      else faults.push(`${file.name}: ${sent.error}`)
    }
    setSending(undefined)
    setDraft(id)
    if (faults.length > 0) setFault(faults.join(' '))
    if (id !== undefined) await inspect(id)
    setStage('idle')
  }

  async function drop(file: string) {
    if (isBusy || draft === undefined) return
    change()
    await inspect(draft, file)
  }

  /** Looks at what a load would do, or loads. */
  async function run(dryRun: boolean, given = answers) {
    if (isBusy || draft === undefined) return
    setStage(dryRun ? 'looking' : 'loading')
    setEvent(undefined)
    const asked = { ...askedFor(draft, mapOf(held, choices), options, dryRun ? undefined : event), answers: given }
    const last = await runDraft(contractorId, { ...asked, dryRun }, setEvent)
    tell(last, dryRun)
    if (last.step !== 'done' || last.questions) return setStage('idle')
    setStage(dryRun ? 'looked' : 'loaded')
    if (dryRun) return
    setHeld([])
    setAnswers({})
    refresh()
  }

  /** Looks again with the answers to the questions of the last look. */
  function answer(given: Answers) {
    setAnswers(given)
    void run(true, given)
  }

  const choose = (file: string, column: string, field: string) => {
    change()
    setChoices((before) => ({ ...before, [choiceOf(file, column)]: field }))
  }
  const set = (part: Partial<Options>) => {
    change()
    setOptions((before) => ({ ...before, ...part }))
  }
  return {
    draft,
    held,
    sending,
    fault,
    choices,
    answers,
    options,
    stage,
    event,
    isBusy,
    add,
    drop,
    run,
    answer,
    choose,
    set,
  }
}
