'use client'

import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import type { FormResult } from '@/lib/portal/form-result'
import { keyFault, storedKey, storeKey } from '@/lib/portal/key'

type Issued = FormResult<{ key: string }>

/** Issues a key that reads a contractor's data for an hour, or says why it cannot. */
export type Issuer = { contractorId: string; issue: (result: Issued, form: FormData) => Promise<Issued> }

const FAILED = 'No key could be created. Try again, or paste one.'

async function askFor({ contractorId, issue }: Issuer): Promise<{ key: string } | { error: string }> {
  const form = new FormData()
  form.set('contractorId', contractorId)
  const result = await issue(undefined, form).catch(() => undefined)
  if (result?.ok && result.data) return result.data
  return { error: result?.ok === false ? result.error : FAILED }
}

/** Returns this tab's key, which the explorer and the console share; empty when there is none or before the script has loaded. */
export function useTabKey() {
  const [key, setKey] = useState('')
  useEffect(() => setKey(storedKey()), [])
  return {
    key,
    choose(next: string) {
      storeKey(next)
      setKey(next)
    },
  }
}

type Props = {
  issuer?: Issuer | undefined
  /** The key in use, or empty. */
  chosen: string
  /** Receives a well-formed key, or an empty text. */
  onChoose(key: string): void
  /** The label of the button that submits a pasted key. */
  submit?: string
  /** An error of the page about the key. */
  fault?: string | undefined
}

/** Lets people choose the key for the page's requests: paste one, or create a test key. The key stays in this tab. */
export function KeyPicker(props: Props) {
  return props.chosen ? <ChosenKey {...props} /> : <KeyForm {...props} />
}

function ChosenKey({ chosen, onChoose }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p>
        Using the key <code className="font-mono text-sm">{`${chosen.slice(0, 9)}…${chosen.slice(-4)}`}</code>
      </p>
      <Button size="small" onClick={() => onChoose('')}>
        Change key
      </Button>
    </div>
  )
}

function KeyForm({ issuer, onChoose, submit: word = 'Use key', fault: given }: Props) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isReady, setReady] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  // Until the script has loaded, submitting the form would send the key in the URL.
  useEffect(() => setReady(true), [])
  // The focus moves here when a missing key brings people here.
  useEffect(() => {
    if (given) document.getElementById(id)?.focus()
  }, [given, id])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ''
    const problem = keyFault(key)
    setFault(problem)
    if (problem) field.current?.focus()
    else onChoose(key)
  }

  async function ask(issuer: Issuer): Promise<void> {
    if (isBusy) return
    setBusy(true)
    const answer = await askFor(issuer)
    setBusy(false)
    if ('error' in answer) setFault(answer.error)
    else onChoose(answer.key)
  }

  return (
    <form onSubmit={submit} noValidate aria-label="Key for requests" className="grid gap-3">
      {issuer && (
        <div className="grid justify-items-start gap-1">
          <Button id={id} look="main" aria-disabled={isBusy} onClick={() => ask(issuer)}>
            {isBusy ? 'Creating…' : 'Create a test key'}
          </Button>
          <p className="text-sm text-quiet">It reads this contractor’s data for an hour.</p>
        </div>
      )}
      <Field
        label={issuer ? 'Or paste an API key' : 'API key'}
        error={fault ?? given}
        hint="Stored only in this tab, and sent only to this server."
        {...(!issuer && { id })}
      >
        {(tied) => (
          <div className="flex flex-wrap gap-2">
            <Input
              {...tied}
              ref={field}
              type="password"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="plb_test_…"
              className="flex-[1_1_10rem] font-mono text-sm/7"
            />
            <Button type="submit" disabled={!isReady}>
              {word}
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}
