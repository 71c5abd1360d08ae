import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CsvRecord, readCsv } from './csv'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-csv-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What a file yields, and what it ends with when it cannot be read to its end. */
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

test('a BOM, every line end in one file, blank lines, quotes and line breaks in cells: lines stay right', async () => {
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

test('whatever the cells, the quoting and the line ends, cells and lines come back', async () => {
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

test('a quote that draws lines together is found out, and the reading goes on', async () => {
  const { records } = await read('a,b\n1,"Smith,\n2,"Jones",\n3,ok\n4,"""Like new"" she\nsaid"\n')
  expect(records.map(({ line, lastLine, stray }) => [line, lastLine, stray])).toEqual([
    [1, 1, false],
    [2, 3, true],
    [4, 4, false],
    [5, 6, false],
  ])
})

test('a quote that is never closed ends the reading there, however much follows', async () => {
  for (const rest of [3, 1_000_000]) {
    const { records, problem } = await read(`a,b\n1,x\n2,"y\n${'9,z\n'.repeat(rest)}`)
    expect(records.map(({ line }) => line)).toEqual([1, 2])
    expect(problem).toContain('A quote (") is not closed. Nothing from line 3 on')
  }
})

test('a cell without an end is not read as one that ends', async () => {
  const { records, problem } = await read(`a,b\n1,x\n2,${'y'.repeat(5_000_000)}\n3,z\n`)
  expect(records.map(({ line }) => line)).toEqual([1, 2])
  expect(problem).toBe('A cell is longer than 2 MB. Nothing from line 3 on was read.')
})

test('nothing comes of an empty file; what is no file is a problem', async () => {
  expect(await read('')).toEqual({ records: [], problem: undefined })
  expect(await read('\ufeff\r\n\r\n')).toEqual({ records: [], problem: undefined })
  mkdirSync(join(folder, 'folder.csv'))
  await expect(readCsv(join(folder, 'folder.csv')).next()).rejects.toThrow('cannot be read (EISDIR)')
})
