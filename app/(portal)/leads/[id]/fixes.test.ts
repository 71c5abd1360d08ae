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

test('every field of a lead has a label', () => {
  expect(Object.keys(FIELD_LABELS).sort()).toEqual([...LEAD_FIELDS].sort())
})

test('email and phone are offered together, because either one is enough; unknown fields are not offered', () => {
  expect(
    fieldsToFix(
      preview(400, {}, [
        ['phone', 'is required'],
        ['firstName', 'is required'],
        ['body', 'is not JSON'],
      ]),
    ),
  ).toEqual(['firstName', 'email', 'phone'])
  expect(fieldsToFix(preview(201, {}))).toEqual([])
})

test('the result of a replay is described in a sentence', () => {
  const told = (...given: Parameters<typeof preview>) => outcomeText(preview(...given))
  expect(told(201, { jobNumber: 12 })).toBe('Creates job 12, for a new customer.')
  expect(outcomeText({ ...preview(200, { jobNumber: 3 }), customer: { id: 'cus_1', name: 'Ana Lopez' } })).toBe(
    'Creates job 3, for Ana Lopez, an existing customer.',
  )
  expect(told(200, { duplicate: true })).toContain('no second project')
  expect(told(200, { test: true })).toContain('test lead')
  expect(told(400, {}, [['email', 'is not an email address']])).toBe('Still refused. Email is not an email address.')
  expect(
    told(400, {}, [
      ['email', 'is required'],
      ['phone', 'is required'],
    ]),
  ).toBe('Still refused. Email is required. 2 errors in total.')
})
