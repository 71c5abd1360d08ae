import { expect, test } from 'vitest'
import { daysLater, movedBy } from './demo-dates'

test('the books move by whole weeks, and never back', () => {
  expect(daysLater(new Date('2026-11-20T23:00:00Z'))).toBe(0)
  expect(daysLater(new Date('2026-11-26T23:00:00Z'))).toBe(0)
  expect(daysLater(new Date('2026-11-27T00:00:00Z'))).toBe(7)
  expect(daysLater(new Date('2028-01-01T00:00:00Z'))).toBe(406)
  expect(daysLater(new Date('2020-01-01T00:00:00Z'))).toBe(0)
})

test('cells that are days move, in their own form; texts, numbers and phone numbers stay', () => {
  const us =
    'P-26-1,"Job of 11/20/2026, rear",11/27/2026,,12/31/2026\nP-2,615-555-0142,02/28/2028,"$1,200.00",11/20/2026'
  expect(movedBy(us, 7)).toBe(
    'P-26-1,"Job of 11/20/2026, rear",12/04/2026,,01/07/2027\nP-2,615-555-0142,03/06/2028,"$1,200.00",11/27/2026',
  )
  expect(movedBy('\ufeffDate,Paid\r\n2026-11-20,\r\n2026-12-30,2027-01-01\r\n', 7)).toBe(
    '\ufeffDate,Paid\r\n2026-11-27,\r\n2027-01-06,2027-01-08\r\n',
  )
  expect(movedBy(us, 0)).toBe(us)
})
