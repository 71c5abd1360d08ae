import { expect, test } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/lib/testing/blocks'
import { SOURCE_FILES } from '../sources/registry'
import type { Table } from '../tables/table'
import { DateOrder } from './date-order'
import { FileSurvey, type NotationHints } from './survey'

const jobs = SOURCE_FILES.find(({ source, file }) => source === 'Jobber' && file === 'Jobs')

const OFFICE = { timezone: 'UTC', currency: 'USD' }

/** Reads a table through as a report of Jobber's jobs. */
function survey(table: Table, said: NotationHints = {}) {
  if (!jobs) throw new Error('Jobber has a report of jobs')
  return new FileSurvey(jobs, table, new DateOrder(0), () => undefined, {}).read(said, OFFICE)
}

/** A report of jobs whose rows are all there already: nothing is waited for between them. */
function report(rows: number): { table: Table; read: () => number } {
  let read = 0
  async function* records() {
    for (; read < rows; read++)
      yield { line: read + 2, lastLine: read + 2, cells: ['1', 'Ana', 'Roof', '11/20/2026'], stray: false }
  }
  const table: Table = {
    name: 'jobs.csv',
    format: { kind: 'text', encoding: 'utf-8', delimiter: ',', headerRow: 1 },
    header: ['Job #', 'Client name', 'Title', 'Created date'],
    preamble: [],
    rows: { [Symbol.asyncIterator]: records },
    notes: [],
  }
  return { table, read: () => read }
}

test('reading a file through holds the thread no longer than it may', async () => {
  expect(await longestBlock(() => survey(report(100_000).table))).toBeLessThan(LONGEST_BLOCK_MS)
})

test('whoever is asked to stop does not read a file to its end', async () => {
  const { table, read } = report(100_000)
  const stop = new AbortController()
  setImmediate(() => stop.abort())
  await survey(table, { signal: stop.signal })
  expect(read()).toBeGreaterThan(0)
  expect(read()).toBeLessThan(100_000)
})
