'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import type { FormResult } from '@/lib/portal/form-result'
import { keyFault } from '@/lib/portal/key'

type Issued = FormResult<{ key: string }>

/** Issues a key that reads a contractor's data for an hour, or says why it cannot. */
export type Issuer = { contractorId: string; issue: (result: Issued, form: FormData) => Promise<Issued> }

type Props = { issuer?: Issuer; isReady: boolean; onKey: (key: string) => void }

const FAILED = 'No key could be created. Try again, or paste one.'

async function askFor({ contractorId, issue }: Issuer): Promise<{ key: string } | { error: string }> {
  const form = new FormData()
  form.set('contractorId', contractorId)
  const result = await issue(undefined, form).catch(() => undefined)
  if (result?.ok && result.data) return result.data
  return { error: result?.ok === false ? result.error : FAILED }
}

/** The key requests are made with: pasted, or issued on request. It stays in this page and is forgotten with it. */
export function ExplorerKey({ issuer, isReady, onKey }: Props) {
  const [key, setKey] = useState('')
  const [fault, setFault] = useState<string>()
  const [said, setSaid] = useState('')

  function use(text: string): void {
    const problem = keyFault(text)
    setFault(problem)
    setSaid(problem ? '' : `Requests are now made with the key that ends in ${text.slice(-4)}.`)
    if (!problem) onKey(text)
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isReady) use(key.trim())
  }

  async function ask(issuer: Issuer): Promise<void> {
    setSaid('Creating a test key.')
    const answer = await askFor(issuer)
    if ('error' in answer) {
      setSaid('')
      return setFault(answer.error)
    }
    setKey(answer.key)
    use(answer.key)
  }

  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label="Key for requests"
      className="mb-6 rounded-lg border border-line bg-raised p-5"
    >
      <Field
        label="API key"
        error={fault}
        hint={`Kept in this page only, and sent to this server only.${issuer ? ' A key created here can read for an hour.' : ''}`}
      >
        {(tied) => (
          <div className="flex flex-wrap gap-2.5">
            <Input
              {...tied}
              type="password"
              value={key}
              onChange={({ target }) => setKey(target.value)}
              autoComplete="off"
              spellCheck={false}
              placeholder="plb_test_…"
              className="flex-[1_1_14rem] font-mono text-sm/relaxed"
            />
            <Button type="submit" look="main" aria-disabled={!isReady}>
              Use key
            </Button>
            {issuer && (
              <Button aria-disabled={!isReady} onClick={() => isReady && ask(issuer)}>
                Create a test key
              </Button>
            )}
          </div>
        )}
      </Field>
      <p role="status" className="mt-1 text-sm text-good">
        {said}
      </p>
    </form>
  )
}
