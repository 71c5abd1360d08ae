'use client'

import type { Field } from '@/lib/portal/form-model'
import { visible } from '@/lib/portal/json'
import { Field as LabeledField, type Tied } from './field'
import { Input, Select, Textarea } from './input'

type Props = { field: Field; value: string; fault: string | undefined; onChange(value: string): void }

const PLACEHOLDERS: Partial<Record<Field['kind'], string>> = { moment: '2026-11-20T08:00:00Z', json: '{ }' }

/** Describes the limits of a value; empty without limits. */
function limits({ kind, min, max, start, options }: Field): string {
  const range =
    min !== undefined && max !== undefined
      ? `From ${min} to ${max}.`
      : min !== undefined
        ? `At least ${min}.`
        : max !== undefined
          ? `At most ${max}.`
          : ''
  const normally = start && options.length === 0 && kind !== 'json' ? `Default: ${start}.` : ''
  return [range, normally, kind === 'json' ? 'Enter JSON.' : ''].filter(Boolean).join(' ')
}

/** The control for a kind of value. */
function Control({ field, value, onChange, tied }: Props & { tied: Tied }) {
  const { name, kind, required, options } = field
  const common = {
    ...tied,
    name,
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  if (kind === 'choice')
    return (
      <Select {...common}>
        {!required && <option value="">(left out)</option>}
        {required && value === '' && <option value="">Choose…</option>}
        {options.map(({ text }) => (
          <option key={text}>{text}</option>
        ))}
      </Select>
    )
  if (kind === 'long' || kind === 'json')
    return <Textarea {...common} spellCheck={kind === 'long'} placeholder={PLACEHOLDERS[kind]} />
  const isNumber = kind === 'integer' || kind === 'number'
  return (
    <Input
      {...common}
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      placeholder={PLACEHOLDERS[kind]}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** An argument: its name, its control, its description, and its error. */
export function FormField(props: Props) {
  const { field, fault } = props
  const { name, kind, description, required } = field
  const hint = `${visible(description)}${description && !/[.!?]$/.test(description) ? '.' : ''} ${limits(field)}`
  return (
    <LabeledField
      id={`argument-${name}`}
      label={name}
      hint={hint}
      error={fault}
      required={required}
      {...((kind === 'long' || kind === 'json') && { className: 'col-span-full' })}
    >
      {(tied) => <Control {...props} tied={tied} />}
    </LabeledField>
  )
}
