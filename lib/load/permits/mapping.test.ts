import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateReader } from './dates'
import { readMapping } from './mapping'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-map-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const JURISDICTION = { name: 'Exampleton', state: 'TN' }

function read(content: unknown) {
  const path = join(folder, 'map.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readMapping(path)
}

test.each(readdirSync(join(import.meta.dirname, 'maps')))('the built-in mapping %s is valid', async (file) => {
  const { fields } = await readMapping(join(import.meta.dirname, 'maps', file))
  expect(fields).toHaveProperty('PermitNum')
})

test.each<[string, unknown, string]>([
  ['invalid JSON', '{', 'it is not valid JSON'],
  ['no jurisdiction', {}, 'jurisdiction: '],
  ['a misspelled part', { jurisdiction: JURISDICTION, field: {} }, 'field'],
  [
    'an unknown field',
    { jurisdiction: JURISDICTION, fields: { PermitNo: 'No' } },
    'fields.PermitNo: is not one of the BLDS',
  ],
  [
    'a state name instead of its code',
    { jurisdiction: { name: 'X', state: 'Tennessee' } },
    'jurisdiction.state: must be two capital letters',
  ],
  [
    'a link that is not http or https',
    { jurisdiction: { ...JURISDICTION, link: 'javascript:alert(1)' } },
    'jurisdiction.link: ',
  ],
  [
    'an unknown date format',
    { jurisdiction: JURISDICTION, fields: { AppliedDate: { column: 'D', date: 'DD.MM.YYYY' } } },
    'fields.AppliedDate',
  ],
  [
    'a date format on a text field',
    { jurisdiction: JURISDICTION, fields: { Description: { column: 'D', date: 'iso' } } },
    'fields.Description.date: is only for date fields',
  ],
  [
    'an unknown time zone',
    { jurisdiction: JURISDICTION, fields: { AppliedDate: { column: 'D', date: 'epoch_ms', timeZone: 'Mars/Base' } } },
    'fields.AppliedDate',
  ],
  [
    'values on a number field',
    { jurisdiction: JURISDICTION, fields: { Fee: { column: 'F', values: { a: 'b' } } } },
    'fields.Fee.values: is only for text fields',
  ],
  [
    'otherwise without values',
    { jurisdiction: JURISDICTION, fields: { WorkClass: { column: 'F', otherwise: 'New' } } },
    'fields.WorkClass.otherwise',
  ],
  [
    'a constant for a mapped field',
    { jurisdiction: JURISDICTION, fields: { WorkClass: 'W' }, constants: { WorkClass: 'New' } },
    'constants.WorkClass: is also in fields',
  ],
  ['one permit number for all', { jurisdiction: JURISDICTION, constants: { PermitNum: '1' } }, 'constants.PermitNum'],
  ['a column without a name', { jurisdiction: JURISDICTION, fields: { PermitNum: '—' } }, 'fields.PermitNum'],
])('a mapping with %s is refused with the reason', async (_, content, fault) => {
  await expect(read(content)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(fault) })
})

test('a missing mapping file is named', async () => {
  await expect(readMapping(join(folder, 'none.json'))).rejects.toThrow('it cannot be read (ENOENT)')
})

test.each([
  ['iso', '2026-02-28', '2026-02-28'],
  ['iso', '2026-02-28T23:59:59.000', '2026-02-28'],
  ['iso', '2026-02-28T23:59:59Z', '2026-02-28'],
  ['iso', '2026-02-30', undefined],
  ['iso', '02/28/2026', undefined],
  ['MM/DD/YYYY', '2/8/2026', '2026-02-08'],
  ['MM/DD/YYYY', '02/28/2026 11:30:00 PM', '2026-02-28'],
  ['MM/DD/YYYY', '28/02/2026', undefined],
  ['MM/DD/YYYY', '2/8/26', undefined],
  ['epoch_ms', 'yesterday', undefined],
  ['epoch_ms', '1681189200', undefined],
  ['epoch_ms', '0', undefined],
  ['epoch_ms', '-86400000000', '1967-04-07'],
  ['epoch_ms', '-9999999999999', undefined],
] as const)('a date as %s: %s', (form, cell, day) => {
  const read = dateReader(form)(cell)
  expect('value' in read ? read.value : undefined).toBe(day)
})

test('epoch milliseconds are read as a date in their time zone', () => {
  // 1681189200000 = 2023-04-11T05:00:00Z, midnight in Chicago; 1681185600000 is an hour before.
  const day = (ms: string, zone?: string) => dateReader('epoch_ms', zone)(ms)
  expect(day('1681189200000', 'America/Chicago')).toEqual({ value: '2023-04-11' })
  expect(day('1681185600000', 'America/Chicago')).toEqual({ value: '2023-04-10' })
  expect(day('1681185600000')).toEqual({ value: '2023-04-11' })
})
