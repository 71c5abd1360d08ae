import { expect, test } from 'vitest'
import { resources } from '@/lib/resources/registry'
import type { FileKind } from './columns'
import { matchHeader } from './header'
import { fileKind } from './kinds'
import { readRow } from './rows'

const CUSTOMERS = fileKind(resources.customers)
const PROJECTS = fileKind(resources.projects)
const INVOICES = fileKind(resources.invoices)
const PAYMENTS = fileKind(resources.payments)

/** Reads one row given by headers and cells. */
function read(kind: FileKind, row: Record<string, string>) {
  const layout = matchHeader(kind, Object.keys(row))
  return readRow(kind, layout, { line: 7, lastLine: 7, cells: Object.values(row), stray: false })
}
const reasons = (kind: FileKind, row: Record<string, string>) =>
  read(kind, row).faults.map(({ field, reason }) => `${field} ${reason}`)

const customer = { 'Customer ID': 'C1', Name: 'Ann' }

test('customers.csv', () => {
  const row = {
    ...customer,
    Email: ' Bo@Example.COM ',
    Phone: '(615) 555-0142',
    ZIP: '',
    Created: '3/4/26',
    City: 'São',
  }
  expect(read(CUSTOMERS, row)).toEqual({
    line: 7,
    malformed: false,
    faults: [],
    values: {
      reference: 'C1',
      name: 'Ann',
      email: 'bo@example.com',
      phone: '(615) 555-0142',
      zip: null,
      createdAt: '2026-03-04T00:00:00.000Z',
      city: 'São',
    },
  })
})

test('projects.csv', () => {
  const row = {
    'Project ID': 'P1',
    'Customer ID': 'C1',
    Name: 'Roof',
    'Total Amount': '$1,250.5',
    'Start Date': '1/2/2026',
  }
  expect(read(PROJECTS, row).values).toMatchObject({ customer: 'C1', totalAmount: '1250.50', startDate: '2026-01-02' })
  const status = (Status: string) => read(PROJECTS, { ...row, Status }).values.status
  const words = ['', 'In Progress', 'in-progress', 'ACTIVE', 'complete', 'Canceled', 'On Hold', 'flying']
  const values = [null, 'in_progress', 'in_progress', 'in_progress', 'completed', 'cancelled', 'on_hold', undefined]
  expect(words.map(status)).toEqual(values)
})

test('invoices.csv', () => {
  const row = {
    'Invoice Number': 'I1',
    'Project ID': 'P1',
    Amount: '5',
    Date: '2026-01-02T03:04:05-06:00',
    Currency: 'cad',
  }
  expect(read(INVOICES, row).values).toEqual({
    reference: 'I1',
    number: 'I1',
    project: 'P1',
    amount: '5.00',
    date: '2026-01-02T09:04:05.000Z',
    currency: 'CAD',
  })
  // A negative invoice is a credit memo.
  expect(reasons(INVOICES, { ...row, Amount: '(5)' })).toEqual([])
  expect(reasons(INVOICES, { ...row, Retainage: '(5)' })).toEqual([
    'Retainage is not an amount of zero or more such as $1,250.00',
  ])
})

test('estimates.csv', () => {
  const row = { 'Quote Number': 'Q1', 'Client ID': 'C1', Total: '0', 'Quote Date': '1/2/26' }
  expect(read(fileKind(resources.estimates), row)).toMatchObject({
    values: { reference: 'Q1', amount: '0.00' },
    faults: [],
  })
  const status = (Status: string) => read(fileKind(resources.estimates), { ...row, Status }).values.status
  const words = ['', 'Not sent', 'Pending', 'APPROVED', 'rejected', 'Expired', 'flying']
  expect(words.map(status)).toEqual([null, 'draft', 'sent', 'accepted', 'declined', 'expired', undefined])
})

test('payments.csv', () => {
  const row = { 'Payment ID': 'T1', 'Invoice Number': 'I1', Amount: '12', Date: '1/2/26' }
  const method = (Method: string) => read(PAYMENTS, { ...row, Method }).values.method
  const words = ['', 'Credit Card', 'CC', 'visa', 'bank transfer', 'EFT', 'Direct Deposit', 'cheque', 'Wire', 'shells']
  expect(words.map(method)).toEqual([null, 'card', 'card', 'card', 'ach', 'ach', 'ach', 'check', 'wire', null])
  expect(read(PAYMENTS, { ...row, Method: 'shells' }).notes).toMatchObject([{ field: 'Method', value: 'shells' }])
  const type = (Type: string) => read(PAYMENTS, { ...row, Type }).values.type
  const types = ['', 'payment', 'Payment Received', 'REFUND', 'adjustment', 'gift']
  expect(types.map(type)).toEqual([null, 'payment_received', 'payment_received', 'refund', 'adjustment', undefined])
})

test('all errors of a row are reported, each with its line and value', () => {
  const { faults } = read(CUSTOMERS, {
    'Customer ID': ' ',
    Name: 'x'.repeat(301),
    Email: 'x@@y',
    Created: '2/30/26',
  })
  expect(faults.map(({ line, field, value }) => [line, field, value?.slice(0, 10)])).toEqual([
    [7, 'Customer ID', ''],
    [7, 'Name', 'xxxxxxxxxx'],
    [7, 'Email', 'x@@y'],
    [7, 'Created', '2/30/26'],
  ])
})

test('a phone number that cannot be dialed is kept as written, and noted', () => {
  const { values, faults, notes } = read(CUSTOMERS, { ...customer, Phone: '12' })
  expect([values.phone, faults]).toEqual(['12', []])
  expect(notes).toMatchObject([{ line: 7, field: 'Phone', value: '12' }])
})

test('control characters are refused in every column; line breaks are normalized, tabs stay', () => {
  expect(read(CUSTOMERS, { ...customer, Name: 'a\r\nb\rc\nd\te' }).values.name).toBe('a\nb\nc\nd\te')
  for (const bad of ['a\u0000', 'a\u001b[2J', 'a\u0085', 'Ren\ufffd', 'a\ud800b'])
    expect(reasons(CUSTOMERS, { ...customer, Name: bad })).toEqual([expect.stringMatching(/^Name contains/)])
  expect(reasons(CUSTOMERS, { ...customer, Phone: 'call \u0000 615 555 0142' })).toEqual([
    'Phone contains control characters',
  ])
  expect(
    reasons(PAYMENTS, { 'Payment ID': 'T', 'Project ID': 'P', Amount: '1', Date: '1/2/26', Method: 'ca\u0000sh' }),
  ).toEqual(['Method contains control characters'])
})

test('a date that cannot be stored is refused', () => {
  expect(reasons(CUSTOMERS, { ...customer, Created: '9999-12-31T23:59:00-14:00' })).toHaveLength(1)
})

test('a row with too few or too many cells, or joined by a stray quote, is malformed', () => {
  const layout = matchHeader(CUSTOMERS, ['Customer ID', 'Name', 'Email'])
  const rowOf = (cells: string[], stray = false) => readRow(CUSTOMERS, layout, { line: 4, lastLine: 5, cells, stray })
  expect(rowOf(['C1', 'Ann', '', '', ' ']).faults).toEqual([])
  for (const row of [rowOf(['C1', 'Ann']), rowOf(['C1', 'Ann', '', 'x']), rowOf(['C1', 'Ann', ''], true)]) {
    expect(row).toMatchObject({ malformed: true, values: {}, faults: [{ line: 4, field: null }] })
    expect(row.faults[0]?.reason).toContain('lines 4 to 5')
  }
})
