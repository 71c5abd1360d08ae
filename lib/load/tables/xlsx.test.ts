import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { FileProblem } from '../fault'
import { openTable } from './open'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-xlsx-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(bytes: Uint8Array, knows: (cells: string[]) => boolean = () => false) {
  const path = join(folder, 'book.xlsx')
  writeFileSync(path, bytes)
  const { format, header, rows, notes } = await openTable({ path }, knows)
  const found: [number, ...string[]][] = []
  for await (const { line, cells } of rows) found.push([line, ...cells])
  return { format, header, rows: found, notes }
}

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A workbook of parts as other programs write them: `sheet` is what stands in <sheetData>. */
function book(sheet: string, { texts = '', styles = '', properties = '', more = {} as Zippable } = {}): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(`<Types><Default Extension="xml" ContentType="${TYPE}.main+xml"/></Types>`),
    'xl/workbook.xml': strToU8(
      `<?xml version="1.0" encoding="UTF-8"?>\n<workbook xmlns="m" xmlns:r="r">${properties}<sheets><sheet name="Jobs &amp; bills" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': strToU8(`<sst>${texts}</sst>`),
    'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    ...more,
  })
}

/** A row of texts in their cells. */
const texts = (line: number, ...cells: string[]) =>
  `<row r="${line}">${cells.map((cell, i) => `<c r="${String.fromCharCode(65 + i)}${line}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`

test('a workbook that a library writes is read: texts, numbers as Excel shows them, dates, times and ticks', async () => {
  const date = (text: string, format = 'mm/dd/yyyy') => ({ value: new Date(text), type: Date, format })
  const sheet: SheetData = [
    ['Name', 'Amount', 'Date', 'At', 'Paid'],
    ['Ana & <Ben>', 0.1 + 0.2, date('2026-01-10'), date('2026-01-10T14:03:11Z', 'yyyy-mm-dd hh:mm:ss'), true],
    [null, 1_234_567.89, null, null, false],
    ['Ünïcödé “quoted”', -12, date('1900-03-01'), date('2025-12-31', '[$-409]d-mmm-yy;@'), null],
  ]
  const { format, header, rows } = await read(await writeWorkbook(sheet).toBuffer())
  expect(format).toMatchObject({ kind: 'workbook', headerRow: 1 })
  expect(header).toEqual(['Name', 'Amount', 'Date', 'At', 'Paid'])
  expect(rows).toEqual([
    [2, 'Ana & <Ben>', '0.3', '2026-01-10', '2026-01-10 14:03:11', 'TRUE'],
    [3, '', '1234567.89', '', '', 'FALSE'],
    [4, 'Ünïcödé “quoted”', '-12', '1900-03-01', '2025-12-31'],
  ])
})

test('of several sheets the one with a header that is known is read, and said', async () => {
  const sheets = [
    { sheet: 'Notes', data: [['Nothing'], ['of use']] },
    { sheet: 'Invoices', data: [['March'], [], ['Invoice', 'Total'], ['I-1', 12.5]] },
  ] satisfies { sheet: string; data: SheetData }[]
  const bytes = await writeWorkbook(sheets).toBuffer()
  const { format, header, rows, notes } = await read(bytes, (cells) => cells.includes('Invoice'))
  expect(format).toMatchObject({ sheet: 'Invoices', sheets: ['Notes', 'Invoices'], headerRow: 3 })
  expect([header, rows]).toEqual([['Invoice', 'Total'], [[4, 'I-1', '12.5']]])
  expect(notes).toEqual(['Of 2 sheets, "Invoices" is read.'])
})

test('shared, rich and phonetic texts, results of formulas, errors and cells without an address', async () => {
  const { header, rows, format } = await read(
    book(
      `${texts(1, 'A', 'B', 'C')}<row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3" t="str"><f>A3&amp;"x"</f><v>made</v></c></row>` +
        '<row><c t="s"><v>0</v></c><c t="e"><v>#REF!</v></c><c><f>1+1</f><v>2</v></c></row>' +
        '<row r="9"><c r="B9" t="d"><v>2026-02-03T00:00:00.000Z</v></c><c r="C9" t="s"><v>99</v></c></row>',
      {
        texts: '<si><t xml:space="preserve"> one</t></si><si><r><t>bo</t></r><r><t>ld</t></r><rPh><t>no</t></rPh></si>',
      },
    ),
  )
  expect(format).toMatchObject({ sheet: 'Jobs & bills' })
  expect(header).toEqual(['A', 'B', 'C'])
  expect(rows).toEqual([
    [3, 'bold', '', 'made'],
    [4, ' one', '#REF!', '2'],
    [9, '', '2026-02-03', ''],
  ])
})

test('days count from 1904 where the workbook says so, and numbers are dates by their format alone', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="&quot;day&quot; 0.0"/><numFmt numFmtId="171" formatCode="dd\\.mm\\.yyyy"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>'
  const row = `<row r="2">${[0, 1, 2, 3].map((s) => `<c s="${s}"><v>44570</v></c>`).join('')}</row>`
  const sheet = texts(1, 'A', 'B', 'C', 'D') + row
  expect((await read(book(sheet, { styles }))).rows).toEqual([[2, '44570', '2022-01-09', '44570', '2022-01-09']])
  const old = await read(book(sheet, { styles, properties: '<workbookPr date1904="1"/>' }))
  expect(old.rows).toEqual([[2, '44570', '2026-01-10', '44570', '2026-01-10']])
})

const HEADER = texts(1, 'A', 'B')
test.each<[string, () => Uint8Array, string]>([
  ['cut in the middle', () => book(HEADER).slice(0, 700), 'The workbook cannot be read'],
  ['no sheet', () => zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') }), 'The workbook cannot be read: xl/_rels'],
  [
    'sheets elsewhere',
    () =>
      book(HEADER, {
        more: {
          'xl/_rels/workbook.xml.rels': strToU8(
            '<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml" TargetMode="External"/></Relationships>',
          ),
        },
      }),
    'The workbook has no sheet',
  ],
  ['nothing on its sheet', () => book(''), 'The workbook is empty'],
  ['a tag that is not closed', () => book(`${HEADER}<row r="2"><c t="s"`), 'is not whole'],
  ['a row that is not closed', () => book(`${HEADER}<row r="2"><c t="n"><v>1</v></c>`), 'is not whole'],
  [
    'a sheet that ends early',
    () => book('', { more: { 'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${HEADER}`) } }),
    'is not whole',
  ],
])('%s is said', async (_, bytes, message) => {
  await expect(read(bytes())).rejects.toThrow(message)
})

test('a sheet that inflates to far more than its size is refused before it is read through', async () => {
  const bomb = strToU8(`<worksheet><sheetData>${HEADER}${' '.repeat(66 * 1024 ** 2)}</sheetData></worksheet>`)
  const parts = book(HEADER, { more: { 'xl/worksheets/sheet1.xml': [bomb, { level: 9 }] } })
  expect(parts.length).toBeLessThan(1024 ** 2)
  await expect(read(parts)).rejects.toThrow('inflates to more than a spreadsheet program writes')
})

test('a workbook of many sheets that are next to nothing is refused once enough of them was looked at', async () => {
  // Each is within what one sheet may be; all of them would be inflated, again and again, for hours.
  const nothing = strToU8(`<worksheet><sheetData>${' '.repeat(60 * 1024 ** 2)}</sheetData></worksheet>`)
  const sheets = Array.from({ length: 6 }, (_, i) => i + 1)
  const named = sheets.map((i) => `<sheet name="S${i}" sheetId="${i}" r:id="r${i}"/>`).join('')
  const places = sheets.map((i) => `<Relationship Id="r${i}" Target="worksheets/sheet1.xml"/>`).join('')
  const parts = book('', {
    more: {
      'xl/workbook.xml': strToU8(`<workbook xmlns:r="r"><sheets>${named}</sheets></workbook>`),
      'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${places}</Relationships>`),
      'xl/worksheets/sheet1.xml': [nothing, { level: 9 }],
    },
  })
  await expect(read(parts)).rejects.toThrow('inflates to more than a spreadsheet program writes')
}, 60_000)

test('what the machine does not read is no fault of the workbook', async () => {
  const path = join(folder, 'gone.xlsx')
  writeFileSync(path, book(`${HEADER}<row r="2"><c t="n"><v>1</v></c></row>`))
  const table = await openTable({ path })
  rmSync(path)
  const fault = await table.rows[Symbol.asyncIterator]()
    .next()
    .catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'ENOENT' })
  expect(fault).not.toBeInstanceOf(FileProblem)
})

test('entities of a document type are not expanded', async () => {
  const sheet = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b SYSTEM "file:///etc/hostname">]><worksheet><sheetData>${texts(1, 'A', 'B')}<row r="2"><c t="inlineStr"><is><t>&a;&b;x</t></is></c></row></sheetData></worksheet>`
  const { rows } = await read(book('', { more: { 'xl/worksheets/sheet1.xml': strToU8(sheet) } })).catch(
    (error: Error) => ({
      rows: error.message,
    }),
  )
  expect(JSON.stringify(rows)).not.toContain('aaaaaaaaaa')
})
