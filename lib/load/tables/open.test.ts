import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTable } from './open'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-tables-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(content: string | Buffer) {
  const path = join(folder, 'file.csv')
  writeFileSync(path, content)
  const { format, header, preamble, rows } = await openTable({ path })
  const found: [number, ...string[]][] = []
  for await (const { line, cells } of rows) found.push([line, ...cells])
  return { format, header, preamble, rows: found }
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const TEXT = 'Name,Note\nAña,x\nBö,y\n'
test.each([
  ['utf-8', Buffer.from(TEXT)],
  ['utf-8', Buffer.from(`\ufeff${TEXT}`)],
  ['utf-16le', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['utf-16le', Buffer.from(TEXT, 'utf16le')],
  ['utf-16be', utf16be(`\ufeff${TEXT}`)],
  ['utf-16be', utf16be(TEXT)],
  ['windows-1252', Buffer.from(TEXT, 'latin1')],
] as const)('%s', async (encoding, bytes) => {
  const { format, header, rows } = await read(bytes)
  expect(format).toEqual({ kind: 'text', encoding, delimiter: ',', headerRow: 1 })
  expect(header).toEqual(['Name', 'Note'])
  expect(rows).toEqual([
    [2, 'Aña', 'x'],
    [3, 'Bö', 'y'],
  ])
})

test('Windows-1252 is noticed however late its first byte comes, and its quotes and dashes are read', async () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => `name ${i},x\n`).join('')
  const { rows, format } = await read(
    Buffer.concat([Buffer.from(`Name,Note\n${lines}`), Buffer.from([0x93, 0x80, 0x96, 0x94, 0x2c, 0x79, 0x0a])]),
  )
  expect(rows.at(-1)).toEqual([40_002, '“€–”', 'y'])
  expect(format).toMatchObject({ kind: 'text' })
})

test('bytes that are no UTF-8 in a file that has UTF-8 are damage, which no column takes', async () => {
  const { rows } = await read(Buffer.concat([Buffer.from('Name,Note\nAña,x\n'), Buffer.from([0xf1, 0x2c, 0x79, 0x0a])]))
  expect(rows[1]).toEqual([3, '\ufffd', 'y'])
})

test.each([
  [',', 'a,b;c,d|e'],
  [';', 'a;1,5;2'],
  ['\t', 'a\tb, c\td'],
  ['|', 'a|b|c'],
])('%j is found as the delimiter', async (delimiter, line) => {
  const { format, header } = await read(`${line}\n${line}\n${line}\n`)
  expect(format).toMatchObject({ delimiter })
  expect(header).toEqual(line.split(delimiter))
})

test('rows above the header are set aside, whether the header is known or only stands out', async () => {
  const head = 'Harbor Renovation,,,,,,,\r\nInvoice List by Date,,,,,,,\r\n"January, 2026",,,,,,,\r\n\r\n'
  const vendor = await read(
    `${head}Date,Transaction type,Num,Name,Memo,Due date,Amount,Open balance\r\n01/05/2026,Invoice,1,A,,,5,5\r\n`,
  )
  expect([vendor.format.headerRow, vendor.preamble.length, vendor.rows]).toEqual([
    5,
    3,
    [[6, '01/05/2026', 'Invoice', '1', 'A', '', '', '5', '5']],
  ])
  const own = await read('My jobs\n\nWhen,Who,How much\n1/2/2026,Ann,5\n')
  expect([own.format.headerRow, own.header]).toEqual([3, ['When', 'Who', 'How much']])
})

test('what is no table says what it is and what to do', async () => {
  await expect(read(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow('Save it as .xlsx or CSV')
  await expect(read('%PDF-1.7')).rejects.toThrow('a PDF')
  await expect(read(Buffer.from('1f8b0800', 'hex'))).rejects.toThrow('gzip')
  await expect(read('')).rejects.toThrow('empty')
  await expect(read('PK\u0003\u0004 no zip')).rejects.toThrow('The workbook cannot be read')
})
