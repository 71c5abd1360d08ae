'use client'

import { type FormEvent, useMemo, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { FormField } from '@/app/ui/form-field.client'
import { formOf, startValues } from '@/lib/portal/form-model'
import { readForm } from '@/lib/portal/form-values'
import type { JsonObject } from '@/lib/portal/json'

type Props = {
  schema: JsonObject
  /** The initial arguments from an earlier call; without them, the schema's defaults. */
  given: JsonObject | undefined
  /** Example arguments; the form of a read-only tool starts with them. */
  example: JsonObject | undefined
  isWrite: boolean
  busy: boolean
  onCall(args: JsonObject): void
}

/** A form generated from a tool's input schema. Errors are shown at their fields before anything is sent. */
export function ToolForm({ schema, given, example, isWrite, busy, onCall }: Props) {
  const form = useMemo(() => formOf(schema), [schema])
  const [values, setValues] = useState(() => startValues(form, given ?? (isWrite ? undefined : example)))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const element = useRef<HTMLFormElement>(null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (busy) return
    const read = readForm(form, values)
    setFaults(read.ok ? {} : read.faults)
    if (read.ok) onCall(read.args)
    else focusFirst(Object.keys(read.faults))
  }

  function focusFirst(wrong: string[]): void {
    const first = form.fields.find(({ name }) => wrong.includes(name))
    element.current?.querySelector<HTMLElement>(`#${CSS.escape(`argument-${first?.name}`)}`)?.focus()
  }

  return (
    <form ref={element} className="arguments grid gap-4 py-2" onSubmit={submit} noValidate aria-label="Arguments">
      <h4>Arguments</h4>
      {form.fields.length === 0 && <p className="text-quiet">This tool takes no arguments.</p>}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-x-5 gap-y-4">
        {form.fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            fault={faults[field.name]}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" look="main" aria-disabled={busy}>
          {busy ? 'Calling…' : 'Call tool'}
        </Button>
        {example && form.fields.length > 0 && (
          <Button onClick={() => setValues(startValues(form, example))}>Fill in the example</Button>
        )}
        {form.fields.length > 0 && <Button onClick={() => setValues(startValues(form, {}))}>Clear</Button>}
      </div>
    </form>
  )
}
