import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayIn, momentIn, parseDay, parseExportedDate, parseInstant } from './time'

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

describe('momentIn', () => {
  test.each([
    ['America/Chicago', '2025-02-01T02:15:00Z', '2025-02-01T08:15:00.000Z'],
    ['Europe/Berlin', '2025-07-01T00:30:00Z', '2025-06-30T22:30:00.000Z'],
    ['Australia/Sydney', '2025-01-31T23:30:00Z', '2025-01-31T12:30:00.000Z'],
    // The clock goes from 2:00 to 3:00: 2:30 is not there, and is 3:30.
    ['America/New_York', '2025-03-09T01:59:59Z', '2025-03-09T06:59:59.000Z'],
    ['America/New_York', '2025-03-09T02:30:00Z', '2025-03-09T07:30:00.000Z'],
    ['America/New_York', '2025-03-09T03:00:00Z', '2025-03-09T07:00:00.000Z'],
    ['Europe/Berlin', '2025-03-30T02:30:00Z', '2025-03-30T01:30:00.000Z'],
    // It goes from midnight to 1:00: the day stays.
    ['America/Havana', '2025-03-09T00:30:00Z', '2025-03-09T05:30:00.000Z'],
    // It goes back from 2:00 to 1:00.
    ['America/New_York', '2025-11-02T00:59:00Z', '2025-11-02T04:59:00.000Z'],
    ['America/New_York', '2025-11-02T02:00:00Z', '2025-11-02T07:00:00.000Z'],
    ['UTC', '2025-11-02T02:00:00Z', '2025-11-02T02:00:00.000Z'],
  ])('%s %s is %s', (zone, local, moment) => expect(momentIn(zone, local)).toBe(moment))

  test('a time that the clock shows twice is one of both', () => {
    expect(['2025-11-02T05:30:00.000Z', '2025-11-02T06:30:00.000Z']).toContain(
      momentIn('America/New_York', '2025-11-02T01:30:00Z'),
    )
  })

  test('what is no time is none', () => expect(momentIn('UTC', '2025-13-01T00:00:00Z')).toBeUndefined())

  test('a time is on its own day in its zone, changes of the clock included', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'America/Havana',
      'Europe/London',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
    )
    const clocks = fc.date({ min: new Date('2024-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(zones, clocks, (zone, clock) => {
        const moment = momentIn(zone, clock.toISOString())
        expect(moment && dayIn(zone, new Date(moment))).toBe(clock.toISOString().slice(0, 10))
      }),
    )
  })
})
