import { expect, test } from 'vitest'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { matchHeader } from './header'
import { fileKind } from './kinds'

const [CUSTOMERS, PAYMENTS] = [fileKind(resources.customers), fileKind(resources.payments)]

test.each(RESOURCES.map(fileKind))('$file: its documented columns are all known', (kind) => {
  const shown = kind.columns.filter(({ alsoOf }) => alsoOf === undefined)
  const header = shown.map(({ headers }) => headers[0])
  expect(matchHeader(kind, header)).toEqual({
    columns: shown.map((column) => [column, ...kind.columns.filter(({ alsoOf }) => alsoOf === column.field)]),
    fields: kind.columns.map(({ field }) => field),
    ignored: [],
  })
})

test.each(RESOURCES.map(fileKind))('$file: no header means two columns', ({ columns }) => {
  const names = columns.flatMap(({ headers, alsoOf }) =>
    alsoOf !== undefined ? [] : headers.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, '')),
  )
  expect(new Set(names).size).toBe(names.length)
})

test('case, spaces and punctuation do not count; unknown columns are listed once', () => {
  const { fields, ignored } = matchHeader(CUSTOMERS, ['customer_id', ' NAME ', 'E-Mail', 'Fax', 'Fax ', '', ' '])
  expect(fields).toEqual(['reference', 'name', 'email'])
  expect(ignored).toEqual(['Fax'])
})

test('a missing column, two columns with one meaning, and a payment file without a project column are refused', () => {
  expect(() => matchHeader(CUSTOMERS, ['Email'])).toThrow('The column Customer ID, Name is missing')
  expect(() => matchHeader(CUSTOMERS, ['Customer ID', 'Client ID', 'Name'])).toThrow(
    'The columns Customer ID and Client ID mean the same',
  )
  expect(() => matchHeader(PAYMENTS, ['Payment ID', 'Amount', 'Date'])).toThrow('Project ID or Invoice Number')
  expect(matchHeader(PAYMENTS, ['Payment ID', 'Amount', 'Date', 'Invoice']).fields).toContain('invoice')
})
