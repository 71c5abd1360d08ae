import { describe, expect, test } from 'vitest'
import { parseDay, parseExportedDate, parseInstant } from './time'

describe('parseInstant', () => {
  test.each([
    ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30:00.1Z', '2026-11-20T08:30:00.100Z'],
    ['2026-11-20T08:30:00.123456789Z', '2026-11-20T08:30:00.123Z'],
    ['2026-11-20T08:30:00-06:00', '2026-11-20T14:30:00.000Z'],
    ['2026-11-20T08:30:00+0530', '2026-11-20T03:00:00.000Z'],
    ['2026-11-20T08:30Z', '2026-11-20T08:30:00.000Z'],
  ])('%s is %s', (text, iso) => expect(parseInstant(text)?.toISOString()).toBe(iso))

  test.each([
    '2026-11-20T08:30:00',
    '2026-11-20',
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T08:30:00+99:00',
    'now',
    '',
  ])('%s is refused', (text) => expect(parseInstant(text)).toBeUndefined())
})

test('parseDay accepts only dates that exist', () => {
  expect(parseDay('2028-02-29')?.toISOString()).toBe('2028-02-29T00:00:00.000Z')
  expect(parseDay('2026-02-29')).toBeUndefined()
})

test('parseExportedDate reads US and ISO dates', () => {
  expect(parseExportedDate('11/20/2026')?.toISOString()).toBe('2026-11-20T00:00:00.000Z')
  expect(parseExportedDate('1/2/24')?.toISOString()).toBe('2024-01-02T00:00:00.000Z')
  expect(parseExportedDate('2026-11-20 08:30:00Z')?.toISOString()).toBe('2026-11-20T08:30:00.000Z')
  expect(parseExportedDate('20/11/2026')).toBeUndefined()
})
