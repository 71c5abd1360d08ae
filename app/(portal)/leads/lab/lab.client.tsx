'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Select, Textarea } from '@/app/ui/input'
import { tryAction } from '../actions'
import { type Trial, TrialResult } from './result'

type Start = { body: string; source: string; contentType: string }
type Props = { contractorId: string; sources: string[]; start: Start; example: string }

const TYPES = ['application/json', 'application/x-www-form-urlencoded']

/** Tests a body: shows how it would be read and what the sender would get back. */
export function Lab({ contractorId, sources, start, example }: Props) {
  // Held in state, so that pasted text stays after the form is submitted.
  const [values, setValues] = useState(start)
  const [trial, setTrial] = useState<Trial>()
  const set = (name: keyof Start) => (event: { target: { value: string } }) =>
    setValues({ ...values, [name]: event.target.value })
  return (
    <div className="grid gap-6 *:min-w-0 xl:grid-cols-2">
      <ActionForm
        action={tryAction}
        submit="Try it"
        values={{ contractorId }}
        onDone={setTrial}
        beside={<Button onClick={() => setValues({ ...values, body: example })}>Use an example</Button>}
      >
        {(fault) => (
          <>
            <Field
              label="Body"
              hint="As the sender posts it, up to 64 KB. To see a duplicate, use the externalId of an earlier lead."
              error={fault('body')}
            >
              {(tied) => (
                <Textarea
                  name="body"
                  rows={14}
                  className="font-mono text-sm"
                  spellCheck={false}
                  value={values.body}
                  onChange={set('body')}
                  {...tied}
                />
              )}
            </Field>
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label="Sender" error={fault('source')}>
                {(tied) => (
                  <Select name="source" value={values.source} onChange={set('source')} {...tied}>
                    <option value="">Auto-detected</option>
                    {sources.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </Select>
                )}
              </Field>
              <Field label="Content type">
                {(tied) => (
                  <Select name="contentType" value={values.contentType} onChange={set('contentType')} {...tied}>
                    {TYPES.map((type) => (
                      <option key={type}>{type}</option>
                    ))}
                  </Select>
                )}
              </Field>
            </div>
          </>
        )}
      </ActionForm>
      <section aria-label="What would happen" aria-live="polite">
        {trial ? (
          <TrialResult trial={trial} />
        ) : (
          <p className="rounded-lg border border-dashed border-edge px-5 py-8 text-quiet">
            This shows the detected source, where each field was found, the category with the keyword that matched, and
            the response that the sender would get.
          </p>
        )}
      </section>
    </div>
  )
}
