import type { Field, Form } from './form-model'
import { isObject, type JsonObject, parseJson } from './json'

/** The result of reading a form: the arguments, or the errors by field. */
export type ReadForm = { ok: true; args: JsonObject } | { ok: false; faults: Record<string, string> }

type Checked = { value: unknown } | { fault: string }

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i

/** Reports whether a date exists: 2026-02-30 has the right format but does not. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return DAY.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

function rangeFault({ min, max }: Field, value: number): string | undefined {
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return undefined
  if (min === undefined) return `Enter ${max} or less.`
  return max === undefined ? `Enter ${min} or more.` : `Enter a number from ${min} to ${max}.`
}

function checkNumber(field: Field, text: string): Checked {
  const value = Number(text)
  if (field.kind === 'integer' && !Number.isSafeInteger(value)) return { fault: 'Enter a whole number, such as 10.' }
  if (!Number.isFinite(value)) return { fault: 'Enter a number, such as 12.5.' }
  const fault = rangeFault(field, value)
  return fault ? { fault } : { value }
}

/** Reports whether a text matches a pattern; a pattern that is not valid JavaScript is left to the server. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

function checkText({ minLength, maxLength, pattern }: Field, text: string): Checked {
  if (minLength !== undefined && text.length < minLength) return { fault: `Enter at least ${minLength} characters.` }
  if (maxLength !== undefined && text.length > maxLength)
    return { fault: `Enter at most ${maxLength} characters; these are ${text.length}.` }
  if (pattern !== undefined && !matches(pattern, text)) return { fault: `This does not match the pattern ${pattern}.` }
  return { value: text }
}

function checkJson(text: string): Checked {
  const value = parseJson(text)
  return value === undefined ? { fault: 'This is not valid JSON. Check quotes, commas and brackets.' } : { value }
}

function check(field: Field, text: string): Checked {
  switch (field.kind) {
    case 'integer':
    case 'number':
      return checkNumber(field, text.trim())
    case 'choice': {
      const option = field.options.find((option) => option.text === text)
      return option ? { value: option.value } : { fault: 'Choose a value from the list.' }
    }
    case 'date':
      return isDay(text.trim()) ? { value: text.trim() } : { fault: 'Enter a valid date, such as 2026-11-20.' }
    case 'moment':
      return MOMENT.test(text.trim()) && !Number.isNaN(Date.parse(text.trim()))
        ? { value: text.trim() }
        : { fault: 'Enter a time with its offset, such as 2026-11-20T08:00:00Z.' }
    case 'json':
      return checkJson(text)
    default:
      return checkText(field, text)
  }
}

/** Reads the values of a form: an empty field is left out; every other value must match its schema. */
export function readForm({ whole, fields }: Form, values: Record<string, string>): ReadForm {
  const args: JsonObject = {}
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const text = values[field.name] ?? ''
    if (text.trim() === '') {
      if (field.required) faults[field.name] = 'This field is required.'
      continue
    }
    const checked = check(field, text)
    if ('fault' in checked) faults[field.name] = checked.fault
    else args[field.name] = checked.value
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  if (!whole) return { ok: true, args }
  const { arguments: all } = args
  return isObject(all)
    ? { ok: true, args: all }
    : { ok: false, faults: { arguments: 'The arguments must be a JSON object: {"name": "value"}.' } }
}
