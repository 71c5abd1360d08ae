'use client'

import { useState } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Check, Input } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { UPLOAD } from '@/lib/core/uploads'
import type { Declared, LoadEvent } from '@/lib/portal/load-events'
import { sendFile } from '@/lib/portal/send-file'
import { toast } from '@/lib/portal/toasts'
import { FileProgress, type Progress } from './progress'
import { missingIn, Report } from './report'

type Props = { contractorId: string; names: string[] }
type Chosen = { name: string; file: File }

/** Returns the loadable files in the loader's order, and why the others cannot be loaded. */
function sort(names: string[], files: File[]): { chosen: Chosen[]; fault: string | undefined } {
  const chosen = names.flatMap((name): Chosen[] => {
    const file = files.find((each) => each.name.toLowerCase() === name)
    return file ? [{ name, file }] : []
  })
  const strange = files.filter((file) => !names.includes(file.name.toLowerCase())).map(({ name }) => name)
  const large = chosen.filter(({ file }) => file.size > UPLOAD.maxBytes).map(({ name }) => name)
  if (strange.length > 0)
    return {
      chosen,
      fault: `${strange.join(', ')}: unknown file names. Rename the files to one of ${names.join(', ')}.`,
    }
  if (large.length > 0) return { chosen, fault: `${large.join(', ')}: too large. Split it, or use the command below.` }
  return { chosen, fault: chosen.length === 0 ? 'Choose at least one file.' : undefined }
}

/** Lets people choose CSV files, loads them one after another, and shows each file's progress and results. */
export function Loader({ contractorId, names }: Props) {
  const [files, setFiles] = useState<File[]>([])
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [progress, setProgress] = useState<Progress[]>([])
  const [isComplete, setComplete] = useState(false)
  const [mostPercent, setMostPercent] = useState('10')
  const [loaded, setLoaded] = useState<Chosen[]>([])

  const change = (name: string, part: Partial<Progress>) =>
    setProgress((before) => before.map((each) => (each.name === name ? { ...each, ...part } : each)))

  /** Loads one file. Returns false when the remaining files cannot be loaded either. */
  async function load({ name, file }: Chosen, declared: Declared): Promise<boolean> {
    let last: LoadEvent | undefined
    await sendFile(contractorId, name, file, {
      declared,
      onSent: (sent) => change(name, { sent }),
      onEvent: (event) => {
        last = event
        change(name, { event })
      },
    })
    return last?.step === 'done'
  }

  async function start() {
    if (isBusy) return
    const { chosen, fault } = sort(names, files)
    setFault(fault)
    if (fault) return
    setLoaded(chosen)
    await loadAll(chosen, () => (isComplete ? { complete: 'count', mostPercent } : {}))
  }

  /** Deletes what was counted: the files are sent again, those first whose records belong to others. */
  async function deleteMissing() {
    if (isBusy) return
    const counted = new Map(missing.map(({ file, removal }) => [file, String(removal.missing)]))
    const chosen = loaded.filter(({ name }) => counted.has(name)).reverse()
    await loadAll(chosen, ({ name }) => ({ complete: 'delete', mostPercent, most: counted.get(name) ?? '0' }))
  }

  async function loadAll(chosen: Chosen[], declaredOf: (each: Chosen) => Declared) {
    setBusy(true)
    setProgress(chosen.map(({ name }) => ({ name, sent: 0, event: undefined })))
    let goesOn = true
    for (const each of chosen) goesOn = goesOn && (await load(each, declaredOf(each)))
    setBusy(false)
    toast(goesOn ? 'The files are loaded.' : 'The load stopped early; the page shows why.', goesOn ? 'good' : 'bad')
  }

  const events = progress.map(({ event }) => event)
  const missing = missingIn(events)
  const total = missing.reduce((sum, { removal }) => sum + removal.missing, 0)
  return (
    <div className="grid gap-6">
      <form
        className="grid max-w-prose gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <Field label="CSV files" hint={`Any of ${names.join(', ')}; several at once.`} error={fault}>
          {(tied) => (
            <Input
              type="file"
              multiple
              accept=".csv,text/csv"
              onChange={({ target }) => setFiles([...(target.files ?? [])])}
              {...tied}
            />
          )}
        </Field>
        <div>
          <Check
            label="These files are complete."
            hint="Records that are no longer in them are counted, and can then be deleted."
            checked={isComplete}
            onChange={({ target }) => setComplete(target.checked)}
          />
        </div>
        {isComplete && (
          <Field
            label="Delete at most, in percent"
            hint="If more than this share of a file’s records is missing, nothing is deleted."
          >
            {(tied) => (
              <Input
                inputMode="decimal"
                value={mostPercent}
                onChange={({ target }) => setMostPercent(target.value)}
                {...tied}
              />
            )}
          </Field>
        )}
        <div>
          <Button type="submit" look="main" aria-disabled={isBusy}>
            Load
          </Button>
        </div>
      </form>
      {isBusy && (
        <Notice>
          <p>Keep this page open until the last file is on the server.</p>
        </Notice>
      )}
      {progress.map((each) => (
        <FileProgress key={each.name} progress={each} />
      ))}
      {!isBusy && <Report events={events} />}
      {!isBusy && total > 0 && (
        <div>
          <Button look="danger" onClick={() => void deleteMissing()}>
            {`Delete ${total.toLocaleString('en-US')} records that are no longer in the files`}
          </Button>
        </div>
      )}
    </div>
  )
}
