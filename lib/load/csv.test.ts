import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '@/lib/resources/registry'
import { LONGEST_BLOCK_MS, longestBlock } from '@/lib/testing/blocks'
import { type CsvRecord, LONGEST_RECORD, MOST_CELLS, Records, readCsv } from './csv'
import { FileProblem } from './fault'
import { type Layout, matchHeader } from './header'
import { fileKind } from './kinds'
import { readRow } from './rows'

const CUSTOMERS = fileKind(resources.customers)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-csv-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Reads the records of a file, and the error that stopped the reading. */
async function read(content: string | Buffer) {
  const path = join(folder, 'file.csv')
  writeFileSync(path, content)
  const records: CsvRecord[] = []
  try {
    for await (const record of readCsv(path)) records.push(record)
    return { records, problem: undefined }
  } catch (error) {
    return { records, problem: error instanceof Error ? error.message : 'no error' }
  }
}
const linesAndCells = (records: CsvRecord[]) => records.map(({ line, cells }) => [line, ...cells])

test('line numbers stay right with a BOM, mixed line ends, blank lines, quotes, and line breaks in cells', async () => {
  const { records, problem } = await read('\ufeffa,b\r\n1,"x\r\ny\r\n"\n\n,\r2, "q ""z"""\r\n3,6" gutter\n4,end')
  expect(problem).toBeUndefined()
  expect(linesAndCells(records)).toEqual([
    [1, 'a', 'b'],
    [2, '1', 'x\r\ny\r\n'],
    [7, '2', 'q "z"'],
    [8, '3', '6" gutter'],
    [9, '4', 'end'],
  ])
})

test('cells and line numbers are read back unchanged, for any content, quoting and line ends', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', '\r', ' ', '😀'), maxLength: 6 })
  const record = fc.array(fc.record({ cell, quoted: fc.boolean() }), { minLength: 1, maxLength: 4 })
  const row = fc.record({ record, end: fc.constantFrom('\n', '\r\n') })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), fc.boolean(), async (rows, padded) => {
      // Padding moves the rows across the edges of the chunks in which a file is read.
      const head = padded ? `${'p'.repeat(65_530)}\n` : 'p\n'
      let [content, line] = [head, 2]
      const wanted: unknown[] = []
      for (const { record, end } of rows) {
        const cells = record.map(({ cell }) => cell)
        const written = record.map(({ cell, quoted }) =>
          quoted || /[",\r\n]|^ /.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
        )
        if (cells.some((cell) => cell.trim() !== '')) wanted.push([line, ...cells])
        content += written.join(',') + end
        line += 1 + (cells.join(' ').match(/\r\n|\r|\n/g)?.length ?? 0)
      }
      const { records, problem } = await read(content)
      expect(problem).toBeUndefined()
      expect(records.filter(({ stray }) => stray)).toEqual([])
      expect(linesAndCells(records.slice(1))).toEqual(wanted)
    }),
    { numRuns: 300 },
  )
})

test('a stray quote that joins lines is detected, and reading continues', async () => {
  const { records } = await read('a,b\n1,"Smith,\n2,"Jones",\n3,ok\n4,"""Like new"" she\nsaid"\n')
  expect(records.map(({ line, lastLine, stray }) => [line, lastLine, stray])).toEqual([
    [1, 1, false],
    [2, 3, true],
    [4, 4, false],
    [5, 6, false],
  ])
})

test('an unclosed quote stops reading at its line, however much follows', async () => {
  for (const rest of [3, 1_000_000]) {
    const { records, problem } = await read(`a,b\n1,x\n2,"y\n${'9,z\n'.repeat(rest)}`)
    expect(records.map(({ line }) => line)).toEqual([1, 2])
    expect(problem).toMatch(/^A quote \("\) is not closed( within 131,072 characters)?\. Nothing from line 3 on/)
  }
})

test('a row that is too long is an error, not a shorter row', async () => {
  for (const cell of ['y'.repeat(5_000_000), ','.repeat(1_500_000), '"z",'.repeat(40_000)]) {
    const { records, problem } = await read(`a,b\n1,x\n2,${cell}\n3,z\n`)
    expect(records.map(({ line }) => line)).toEqual([1, 2])
    expect(problem).toBe('A row is longer than 131,072 characters. Nothing from line 3 on was read.')
  }
  expect((await read(`a\n${'y'.repeat(LONGEST_RECORD - 1)}\nz`)).records).toHaveLength(3)
  expect((await read(`a\n${'y'.repeat(LONGEST_RECORD)}\nz`)).records).toHaveLength(1)
})

test('a row with too many cells keeps only one more than allowed, and reading continues', async () => {
  const { records } = await read(`a,b\n${'x,'.repeat(60_000)}\n3,z\n`)
  expect(records.map(({ line, cells }) => [line, cells.length])).toEqual([
    [1, 2],
    [2, MOST_CELLS + 1],
    [3, 2],
  ])
})

test('UTF-16 is recognized by its byte order mark', async () => {
  expect(linesAndCells((await read(Buffer.from('\ufeffa,é\r\n1,"😀"', 'utf16le'))).records)).toEqual([
    [1, 'a', 'é'],
    [2, '1', '😀'],
  ])
})

/** The result of the parser that ours is compared with; it reports neither lines nor stray quotes. */
const parsedElsewhere = (text: string): string[][] =>
  parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    ltrim: true,
    relax_column_count: true,
    skip_records_with_error: true,
  })

test('any text is read as csv-parse reads it, however it is split into chunks', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '\t',
    '\u00a0',
    '😀',
    '",',
    '"\n',
    ',"',
  )
  const texts = fc.array(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(texts, (pieces) => {
      const records = new Records()
      const found: string[][] = []
      const takeAll = (isEnd: boolean) => {
        for (let record = records.next(isEnd); record; record = records.next(isEnd)) found.push(record.cells)
      }
      try {
        for (const text of pieces) {
          records.add(text)
          takeAll(false)
        }
        takeAll(true)
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringContaining('is not closed. Nothing from line') })
      }
      // Blank lines are skipped; only our reader returns a record for one at the end.
      const written = (cells: string[]) => cells.some((cell) => cell !== '')
      expect(found.filter(written)).toEqual(parsedElsewhere(pieces.join('')).filter(written))
    }),
    { numRuns: 5_000 },
  )
})

const HEADER = 'Customer ID,Name,Email,Phone,Address,City,State,ZIP\n'
test.each<[string, string]>([
  ['a header of 1.5 MB of commas', ','.repeat(1_500_000)],
  ['a header of 750,000 names', 'a,'.repeat(750_000)],
  ['a header of 500 long names', Array.from({ length: 500 }, (_, i) => `n${i}${'x'.repeat(240)}`).join(',')],
  ['60,000 quoted cells that begin with a quote', HEADER + Array.from({ length: 60_000 }, (_, i) => `"""\n${i}"`)],
  ['rows of 500 such cells', `${HEADER}${`${Array.from({ length: 500 }, (_, i) => `"""\n${i}"`)}\n`.repeat(100)}`],
  ['stray quotes', HEADER + '"\n"x,'.repeat(100_000)],
  ['line ends', HEADER + '\n'.repeat(1_000_000)],
  ['carriage returns', HEADER + '\r'.repeat(1_000_000)],
  ['quotes', HEADER + '"'.repeat(1_000_001)],
  ['blanks', HEADER + ' '.repeat(1_000_000)],
  ['rows of commas', HEADER + `${','.repeat(130_000)}\n`.repeat(10)],
  ['rows of one letter', HEADER + 'x\n'.repeat(300_000)],
  ['rows of long cells', HEADER + `1,n,${'a@'.repeat(30_000)},${'1'.repeat(60_000)},,,,\n`.repeat(10)],
])('%s: no other request waits longer than 50 ms', async (_, content) => {
  const path = join(folder, 'worst.csv')
  writeFileSync(path, content)
  const run = async () => {
    let layout: Layout | undefined
    try {
      for await (const record of readCsv(path)) {
        if (layout) readRow(CUSTOMERS, layout, record)
        else layout = matchHeader(CUSTOMERS, record.cells)
      }
    } catch (error) {
      expect(error).toBeInstanceOf(FileProblem)
    }
  }
  expect(await longestBlock(run)).toBeLessThan(LONGEST_BLOCK_MS)
})

test('an empty file has no records; a folder is a problem', async () => {
  expect(await read('')).toEqual({ records: [], problem: undefined })
  expect(await read('\ufeff\r\n\r\n')).toEqual({ records: [], problem: undefined })
  mkdirSync(join(folder, 'folder.csv'))
  await expect(readCsv(join(folder, 'folder.csv')).next()).rejects.toThrow('cannot be read (EISDIR)')
})
