import { expect, test } from 'vitest'
import { LEAD_FIELDS } from '@/lib/leads/submission'
import { FIELD_LABELS, fieldsToFix, outcomeText } from './fixes'

const preview = (status: number, body: object, faults: [field: string, message: string][] = []) => ({
  source: 'inbound',
  values: {},
  faults: faults.map(([field, message]) => ({ field, message })),
  customer: null,
  answer: { status, body: { ...body } },
})

test('every field of a lead has a name', () => {
  expect(Object.keys(FIELD_LABELS).sort()).toEqual([...LEAD_FIELDS].sort())
})

test('email and phone are fixed together, as one may stand for the other; what is no field is not', () => {
  expect(
    fieldsToFix(
      preview(400, {}, [
        ['phone', 'is required'],
        ['firstName', 'is required'],
        ['body', 'is no JSON'],
      ]),
    ),
  ).toEqual(['firstName', 'email', 'phone'])
  expect(fieldsToFix(preview(201, {}))).toEqual([])
})

test('what a replay would do is said in a sentence', () => {
  const told = (...given: Parameters<typeof preview>) => outcomeText(preview(...given))
  expect(told(201, { jobNumber: 12 })).toBe('Creates job 12, for a new customer.')
  expect(outcomeText({ ...preview(200, { jobNumber: 3 }), customer: { id: 'cus_1', name: 'Ana Lopez' } })).toBe(
    'Creates job 3, for Ana Lopez, a customer you have.',
  )
  expect(told(200, { duplicate: true })).toContain('no second one')
  expect(told(200, { test: true })).toContain('test lead')
  expect(told(400, {}, [['email', 'is not an email address']])).toBe('Still refused. Email is not an email address.')
  expect(
    told(400, {}, [
      ['email', 'is required'],
      ['phone', 'is required'],
    ]),
  ).toBe('Still refused. Email is required. 2 things are wrong.')
})
