'use client'

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button } from '@/app/ui/button'
import { Card } from '@/app/ui/card'
import { Field } from '@/app/ui/field'
import { Input, Select, Textarea } from '@/app/ui/input'
import { fixAction, previewAction } from '../actions'
import { FIELD_LABELS, fieldsToFix, outcomeText, type Preview, sentence } from './fixes'

type Props = {
  id: string
  contractorId: string
  sources: { name: string; title: string }[]
  /** The result of a replay without changes. */
  preview: Preview
  body: string
  /** The body, indented and highlighted. */
  children: ReactNode
}

const SETTLED_MS = 250

/** Keeps a preview of the form's values up to date. It is requested when typing pauses; an older response never replaces a newer one. */
function usePreview(first: Preview, formId: string) {
  const [preview, setPreview] = useState(first)
  const [isAsking, setAsking] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const turn = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = () => {
    clearTimeout(timer.current)
    const mine = ++turn.current
    setAsking(true)
    timer.current = setTimeout(async () => {
      const form = document.getElementById(formId)
      const result = form instanceof HTMLFormElement ? await previewAction(undefined, new FormData(form)) : undefined
      if (mine !== turn.current) return
      setAsking(false)
      if (result?.ok && result.data) setPreview(result.data)
    }, SETTLED_MS)
  }
  return { preview, isAsking, ask }
}

/** Shows the refused fields of a delivery as inputs beside its body, and what a replay would do with the current values. */
export function Fixer({ id, contractorId, sources, preview: first, body, children }: Props) {
  const formId = useId()
  const { preview, isAsking, ask } = usePreview(first, formId)
  const [edited, setEdited] = useState<string>()
  const shown = useRef(new Set<string>())
  for (const field of fieldsToFix(preview)) shown.current.add(field)
  const wrong = (field: string) => {
    const fault = preview.faults.find((each) => each.field === field)
    return fault && sentence(field, fault.message)
  }
  const bodyFault = wrong('body')
  return (
    <Card
      title="Fix and replay"
      text="Correct the refused fields. Nothing is created until you press the button, and the sender is not contacted."
    >
      <div className="grid gap-6 *:min-w-0 lg:grid-cols-2">
        <ActionForm id={formId} action={fixAction} submit="Fix and replay" values={{ id, contractorId }} onChange={ask}>
          {() => (
            <>
              {[...shown.current].map((field) => (
                <Field key={field} label={FIELD_LABELS[field]} error={wrong(field)}>
                  {(tied) => (
                    <Input
                      name={`field.${field}`}
                      defaultValue={first.values[field] ?? ''}
                      autoComplete="off"
                      spellCheck={false}
                      {...tied}
                    />
                  )}
                </Field>
              ))}
              <Field label="Read as" hint="The sender’s format." error={wrong('source')}>
                {(tied) => (
                  <Select name="source" defaultValue={first.source} {...tied}>
                    {sources.map(({ name, title }) => (
                      <option key={name} value={name}>
                        {title}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
              <p role="status" className={isAsking ? 'opacity-60' : undefined}>
                <span className="block text-sm text-quiet">Replayed now</span>
                {outcomeText(preview)}
              </p>
            </>
          )}
        </ActionForm>
        <div className="grid content-start gap-3">
          {edited === undefined ? (
            <>
              {children}
              {bodyFault && <p className="text-danger">{bodyFault}</p>}
              <div className="noscript:hidden">
                <Button size="small" onClick={() => setEdited(body)}>
                  Edit body
                </Button>
              </div>
            </>
          ) : (
            <Field label="Edited body" hint="JSON." error={bodyFault}>
              {(tied) => (
                <Textarea
                  form={formId}
                  name="body"
                  rows={14}
                  className="font-mono text-sm"
                  spellCheck={false}
                  autoFocus
                  value={edited}
                  onChange={(event) => {
                    setEdited(event.target.value)
                    ask()
                  }}
                  {...tied}
                />
              )}
            </Field>
          )}
        </div>
      </div>
    </Card>
  )
}
