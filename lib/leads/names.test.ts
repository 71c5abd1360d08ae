import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitName, withoutTitles } from './names'

test.each([
  ['Ana Lopez', 'Ana', 'Lopez'],
  ['Ana', 'Ana', ''],
  ['Lopez, Ana', 'Ana', 'Lopez'],
  ['Maria van der Berg', 'Maria', 'van der Berg'],
  ['Curtis O’Neal Jr.', 'Curtis', 'O’Neal Jr.'],
  ['O’Neal, Jr.', 'O’Neal,', 'Jr.'],
  ['Mary Jo  Smith', 'Mary Jo', 'Smith'],
  ['De La Cruz', 'De', 'La Cruz'],
  ['Van Morrison', 'Van', 'Morrison'],
  ['Martin King III', 'Martin', 'King III'],
  ['Smith Roofing, LLC', 'Smith', 'Roofing, LLC'],
  ['  ', '', ''],
  ['李 小龙', '李', '小龙'],
])('%s', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName })
})

test.each([
  ['Dr. Ana Lopez', 'Ana Lopez'],
  ['Mr. and Mrs. Lopez', 'Lopez'],
  ['O’Neal, Jr.', 'O’Neal'],
  ['Martin King III', 'Martin King'],
  ['King, Martin Jr.', 'King, Martin'],
  ['Smith Roofing, LLC', 'Smith Roofing, LLC'],
  ['Dr.', 'Dr.'],
  ['Drew Srock', 'Drew Srock'],
])('%s without titles and suffixes is %s', (name, bare) => {
  expect(withoutTitles(name)).toBe(bare)
})

test('the parts join to the original name', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (words) => {
      const name = words.join(' ').replaceAll(',', '')
      const { firstName, lastName } = splitName(name)
      expect(`${firstName} ${lastName}`.trim()).toBe(name.trim().replace(/\s+/g, ' '))
    }),
  )
})
