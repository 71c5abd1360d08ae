import { expect, test } from 'vitest'
import type { ResourceName } from '@/lib/core/resource-names'
import { resources } from '@/lib/resources/registry'
import { fileKind } from '../kinds'
import type { Mapping } from '../sources/mapping'
import type { Table, TableFormat } from '../tables/table'
import { rowsOf } from './build'

const HEADER = ['Number', 'Date', 'Customer', 'Total', 'Open']

/** Reads the amount of rows `I1` of an export with decimal commas. */
async function amount(resource: ResourceName, fills: Partial<Mapping>, ...rows: [total: string, open: string][]) {
  async function* records() {
    for (const [i, cells] of rows.entries())
      yield { line: i + 2, lastLine: i + 2, cells: ['I1', '04/01/2026', 'Hill', ...cells], stray: false }
  }
  const mapping: Mapping = { source: 'Test', file: 'Test', fills: {}, ...fills }
  const format: TableFormat = { kind: 'text', encoding: 'utf-8', delimiter: ';', headerRow: 1 }
  const table: Table = { name: 'a.csv', format, header: HEADER, preamble: [], rows: records(), notes: [] }
  const notation = { dates: 'mdy', decimals: ',', zone: 'UTC', country: undefined } as const
  for await (const row of rowsOf({ mapping, table, notation }, fileKind(resources[resource]), resource, 'own'))
    return row.values.amount
  return undefined
}

test('amounts that are computed from amounts with a decimal comma are not a hundred times as much', async () => {
  const named = { customers: { name: 'Customer' } }
  const payment = { date: 'Date', amount: { absolute: 'Total' } }
  expect(await amount('payments', { fills: { ...named, payments: payment } }, ['-1.900,50', ''])).toBe('1900.50')
  const part = { reference: 'Number', date: 'Date', amount: { subtract: ['Total', 'Open'] as [string, string] } }
  expect(await amount('invoices', { fills: { ...named, invoices: part } }, ['1.900,50', '0,25'])).toBe('1900.25')
  const lines = { key: 'Number', sum: 'Total' }
  const summed = { reference: 'Number', date: 'Date', amount: 'Total' }
  const fills = { ...named, invoices: summed }
  expect(await amount('invoices', { fills, lines }, ['1.900,50', ''], ['100,25', ''])).toBe('2000.75')
})
