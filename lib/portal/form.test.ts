import { describe, expect, test } from 'vitest'
import { tools } from '@/lib/mcp/tools'
import { formOf, startValues } from './form-model'
import { readForm } from './form-values'

const form = formOf({
  type: 'object',
  properties: {
    limit: { type: 'integer', default: 10, minimum: 1, maximum: 25, description: 'Items per page' },
    ratio: { type: 'number', minimum: 0 },
    open: { type: 'boolean' },
    by: { type: 'string', enum: ['week', 'month'], default: 'month' },
    level: { enum: [1, 2] },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
    notes: { type: 'string', maxLength: 10_000 },
    name: { type: 'string', minLength: 2, maxLength: 5 },
    tags: { type: 'array', items: { type: 'string' } },
    maybe: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
  },
  required: ['name'],
})
const kinds = Object.fromEntries(form.fields.map(({ name, kind }) => [name, kind]))
const read = (values: Record<string, string>) => readForm(form, { name: 'abc', ...values })
const faultsOf = (values: Record<string, string>) => {
  const answer = read(values)
  return answer.ok ? {} : answer.faults
}

test('formOf: a kind for each schema, required fields first', () => {
  expect(form.fields[0]?.name).toBe('name')
  expect(kinds).toEqual({
    limit: 'integer',
    ratio: 'number',
    open: 'choice',
    by: 'choice',
    level: 'choice',
    day: 'date',
    at: 'moment',
    code: 'text',
    notes: 'long',
    name: 'text',
    tags: 'json',
    maybe: 'date',
  })
})

test('startValues: the defaults, or only the arguments of an earlier call', () => {
  expect(startValues(form)).toMatchObject({ limit: '10', by: 'month', open: '', name: '' })
  expect(startValues(form, { name: 'abc', open: false, tags: ['x'] })).toMatchObject({
    name: 'abc',
    open: 'no',
    tags: '["x"]',
    limit: '',
  })
})

test('readForm: values with their types; empty ones are left out', () => {
  const values = { limit: ' 3 ', ratio: '0.5', open: 'no', level: '2', day: '2026-02-28', tags: '["a"]', code: '' }
  expect(read(values)).toEqual({
    ok: true,
    args: { name: 'abc', limit: 3, ratio: 0.5, open: false, level: 2, day: '2026-02-28', tags: ['a'] },
  })
})

describe('readForm: reports errors by field', () => {
  test.each([
    [{ name: '' }, 'name', 'This field is required.'],
    [{ name: 'a' }, 'name', 'Enter at least 2 characters.'],
    [{ name: 'abcdef' }, 'name', 'Enter at most 5 characters; these are 6.'],
    [{ limit: '2.5' }, 'limit', 'Enter a whole number, such as 10.'],
    [{ limit: '26' }, 'limit', 'Enter a number from 1 to 25.'],
    [{ ratio: '-1' }, 'ratio', 'Enter 0 or more.'],
    [{ ratio: 'x' }, 'ratio', 'Enter a number, such as 12.5.'],
    [{ by: 'year' }, 'by', 'Choose a value from the list.'],
    [{ day: '2026-02-30' }, 'day', 'Enter a valid date, such as 2026-11-20.'],
    [{ at: '2026-11-20T08:00:00' }, 'at', 'Enter a time with its offset, such as 2026-11-20T08:00:00Z.'],
    [{ code: 'usd' }, 'code', 'This does not match the pattern ^[A-Z]{3}$.'],
    [{ tags: '[' }, 'tags', 'This is not valid JSON. Check quotes, commas and brackets.'],
  ])('%j', (values, field, message) => {
    expect(faultsOf(values)).toEqual({ [field]: message })
  })
})

test('formOf: a schema that is not a plain object becomes one JSON field', () => {
  const whole = formOf({ type: 'object', oneOf: [{ type: 'object' }, { type: 'object' }] })
  expect(readForm(whole, startValues(whole, { a: 1 }))).toEqual({ ok: true, args: { a: 1 } })
  expect(readForm(whole, { arguments: '3' })).toMatchObject({ ok: false })
})

test.each(tools.map((tool) => [tool.name, tool] as const))('%s: its form returns its example unchanged', (_, tool) => {
  const toolForm = formOf(tool.inputSchema)
  expect(readForm(toolForm, startValues(toolForm, tool.example))).toEqual({ ok: true, args: tool.example })
})
