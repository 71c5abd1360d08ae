'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Badge, statusTone } from '@/app/ui/badge'
import { Button } from '@/app/ui/button'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Field } from '@/app/ui/field'
import { Select, Textarea } from '@/app/ui/input'
import { cleanText } from '@/lib/core/clean'
import { tryAction } from '../actions'
import { type Mapping, MappingTable } from '../mapping'

/** The result of the dry run. */
type Trial = Mapping & {
  source: string
  lead: Record<string, string> | null
  customer: { id: string; name: string } | null
  answer: { status: number; body: Record<string, unknown> }
}

/** Returns a title for the dry run's outcome. */
function outcomeOf({ answer: { status, body } }: Trial): string {
  if (status >= 400) return 'would be refused'
  if (body.duplicate === true) return 'duplicate: nothing would be created'
  if (body.test === true || body.ignored === true) return 'accepted, and nothing would be created'
  return 'a project would be created'
}

/** Shows a dry run: the answer first, then how the body was read. */
function TrialResult({ trial }: { trial: Trial }) {
  const { source, lead, customer, answer } = trial
  return (
    <div className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3">What would happen</h2>
      <Facts
        facts={[
          ['Answer', <Badge key="answer" tone={statusTone(answer.status)}>{`${answer.status}`}</Badge>],
          ['Outcome', outcomeOf(trial)],
          ['Sender', source],
          [
            'Customer',
            customer ? (
              <a key="customer" href={`/customers/${customer.id}`}>
                {cleanText(customer.name)}
              </a>
            ) : (
              'none known by this email or phone'
            ),
          ],
        ]}
      />
      <CodeBlock label="Answer" language="json" code={cleanText(JSON.stringify(answer.body, null, 2))} />
      <h3 className="mt-5 mb-2">How it was read</h3>
      <MappingTable mapping={trial} values={lead} />
    </div>
  )
}

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
