'use client'

import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import type { FormResult } from '@/lib/portal/form-result'
import { keepKey, keptKey, keyFault } from '@/lib/portal/key'

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

/** The key of this tab, which the explorer and the console share; empty where there is none, and until the script has loaded. */
export function useTabKey() {
  const [key, setKey] = useState('')
  useEffect(() => setKey(keptKey()), [])
  return {
    key,
    choose(next: string) {
      keepKey(next)
      setKey(next)
    },
  }
}

type Props = {
  issuer?: Issuer | undefined
  /** The key in use; empty for none. */
  chosen: string
  /** A key that has a key's shape, or none. */
  onChoose(key: string): void
  /** The words on the button that takes a pasted key. */
  submit?: string
  /** What is wrong with the choice, as the page knows it. */
  fault?: string | undefined
}

/** The one place where the key of a page's requests is chosen: pasted, or issued on request. It stays in this tab. */
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
  // Until the script has loaded, the form would send the key itself.
  useEffect(() => setReady(true), [])
  // Who is sent here because a key is missing goes on here.
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
        <div className="grid gap-1">
          <Button id={id} look="main" aria-disabled={isBusy} onClick={() => ask(issuer)}>
            {isBusy ? 'Creating…' : 'Create a test key'}
          </Button>
          <p className="text-sm text-quiet">It reads this contractor’s data for an hour.</p>
        </div>
      )}
      <Field
        label={issuer ? 'Or paste an API key' : 'API key'}
        error={fault ?? given}
        hint="Kept in this tab only, and sent to this server only."
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
              className="flex-[1_1_10rem] font-mono text-sm/relaxed"
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
