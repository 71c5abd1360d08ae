import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '@/lib/resources/registry'
import { inspectFile } from '../inspect'
import { mappingFrom } from './build'
import { TARGETS } from './fields'
import { correct, propose, subjectsOf } from './propose'
import { parseAssigned, REASON_COLUMN, shapeOf } from './shape'

const BOARD = join(import.meta.dirname, 'fixtures', 'job-board-september.csv')

/** Parts of fields that our own files have whole. */
const PARTS = ['firstName', 'lastName', 'wholeAddress', 'paid', 'terms']

test('every field that a column can fill is a field of our own files, or a part of one', () => {
  const unknown = TARGETS.filter(
    ({ resource, name }) =>
      !PARTS.includes(name) && !resources[resource].csv.columns.some(({ field }) => field === name),
  )
  expect(unknown).toEqual([])
})

test('a sheet of 30 columns that nobody saw before: each column with its field, others left out', async () => {
  const { taken, form, columns, problem } = await inspectFile(BOARD, 'job-board.csv')
  expect([taken, form, problem, columns.length]).toEqual([
    'guessed',
    'UTF-8, cells between semicolons, header on row 3.',
    null,
    30,
  ])
  const fields = Object.fromEntries(columns.map(({ column, fields: [field = null] }) => [column, field]))
  expect(fields).toEqual({
    Row: null,
    'Date Entered': 'invoices.createdAt',
    'Cust Nm': 'customers.name',
    'Contact First': 'customers.firstName',
    'Home Ph': 'customers.phone',
    Cell: 'customers.phone',
    'Email Addr': 'customers.email',
    'Job Site Address': 'projects.address',
    City: 'projects.city',
    ST: 'projects.state',
    Zip: 'projects.zip',
    'Job No.': 'projects.reference',
    'Type of Work': 'projects.name',
    Stage: 'projects.status',
    'Sales Rep': null,
    'Rep Phone': null,
    'Contract Amt': 'projects.totalAmount',
    Start: 'projects.startDate',
    'Est. Completion': 'projects.endDate',
    'Inv #': 'invoices.reference',
    'Inv Date': 'invoices.date',
    Due: 'invoices.dueDate',
    'Inv Amt': 'invoices.amount',
    'Paid to Date': 'invoices.paid',
    'Date Pd': 'invoices.settledAt',
    Crew: null,
    'Permit #': null,
    'Referred By': null,
    'Scope / Notes': 'projects.description',
    'Photos?': null,
  })
  const cell = columns.find(({ column }) => column === 'Cell')
  expect(cell?.samples[0]).toBe('615.555.2001')
  expect(cell?.reason).toMatch(/its name says it; \d+ of \d+ cells are phone numbers/)
  for (const { fields: filled, confidence } of columns)
    expect([filled.length > 0, confidence >= 0.5]).toEqual([confidence > 0, confidence > 0])
})

test.each<[string[], string]>([
  [['Name', 'Phone', 'Email'], 'customers'],
  [['Client', 'Job', 'Status', 'Start'], 'projects'],
  [['Customer', 'Invoice No', 'Total', 'Due'], 'invoices'],
  [['Quote #', 'Client', 'Quote Total', 'Sent', 'Good Until'], 'estimates'],
  [['Client', 'Proposal', 'Amount', 'Expires'], 'estimates'],
  [['Job No', 'Client', 'Estimate Date', 'Start', 'Contract'], 'projects'],
  [['Customer', 'Quote #', 'Invoice No', 'Total', 'Due'], 'invoices'],
  [['Customer', 'Paid With', 'Amount', 'Date'], 'payments'],
])('the rows of %j are %s', (header, subject) => expect(subjectsOf(header)[0]).toBe(subject))

test('what cells are decides where a name leaves it open, and speaks against a name that says otherwise', () => {
  const fieldsOf = (header: string[], ...rows: string[][]) => propose(header, rows).map(({ field }) => field)
  expect(fieldsOf(['Who', 'Reach at'], ['Ana Lopez', 'ana@example.com'], ['Ben Hill', 'ben@example.com'])).toEqual([
    'customers.name',
    'customers.email',
  ])
  expect(fieldsOf(['Name', 'Phone'], ['Ana Lopez', 'call the office'], ['Ben Hill', 'ask Pat'])).toEqual([
    'customers.name',
    null,
  ])
  // Of two columns with one name, the second can never be read.
  expect(fieldsOf(['Name', 'Email', 'Email'], ['Ana Lopez', 'a@example.com', 'b@example.com'])[2]).toBeNull()
})

test('a person’s choice counts; columns that make no records say what is missing', () => {
  const proposed = propose(['Who', 'Number'], [['Ana Lopez', '17']])
  const chosen = correct(proposed, [{ column: ' number ', field: 'customers.reference' }])
  expect(chosen[1]).toMatchObject({ field: 'customers.reference', confidence: 1, reason: 'chosen' })
  const make = (...fields: (string | null)[]) =>
    mappingFrom({ columns: fields.map((field, i) => ({ column: `C${i}`, field })) })
  expect(make('customers.name', 'customers.phone', 'customers.phone').fills.customers).toEqual({
    name: 'C0',
    phone: { first: ['C1', 'C2'] },
  })
  expect(make('customers.firstName', 'customers.lastName').fills.customers).toEqual({ name: { join: ['C0', 'C1'] } })
  expect(() => make('customers.name', 'invoices.amount')).toThrow(
    'no column fills invoices.reference; and invoices.date',
  )
  expect(() => make('customers.name', 'customers.name')).toThrow('C0 and C1 both fill customers.name')
  expect(() => make('invoices.reference', 'payments.amount')).toThrow('a row is an estimate, an invoice or a payment')
  expect(() => make(null)).toThrow('No column fills a field')
})

test('the shape of a file is its columns in any order, whatever their case and punctuation', () => {
  expect(shapeOf(['Cust Nm', 'Inv #'])).toBe(shapeOf(['INV', 'cust-nm', '', REASON_COLUMN]))
  expect(shapeOf(['Cust Nm', 'Inv #'])).not.toBe(shapeOf(['Cust Nm', 'Inv #', 'Due']))
})

test('--map reads a column and its field; another field is an error that names them all', () => {
  expect(parseAssigned('A=B = invoices.duedate')).toEqual({ column: 'A=B', field: 'invoices.dueDate' })
  expect(parseAssigned('Crew=none')).toEqual({ column: 'Crew', field: null })
  expect(() => parseAssigned('Cust Ph=phone')).toThrow(/no field "phone".*customers\.phone.*payments\.method/)
  expect(() => parseAssigned('Cust Ph')).toThrow('must be "Column=field"')
})
