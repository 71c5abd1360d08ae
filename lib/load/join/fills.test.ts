import { expect, test } from 'vitest'
import { addressParts } from './fills'

test.each([
  ['1411 Holly St\nNashville, TN 37206', '1411 Holly St', 'Nashville', 'TN', '37206'],
  ['1411 Holly St, Unit 2, Nashville, TN 37206', '1411 Holly St, Unit 2', 'Nashville', 'TN', '37206'],
  ['1411 Holly St\nNashville,  Tennessee   37206-1234 USA', '1411 Holly St', 'Nashville', 'Tennessee', '37206-1234'],
  ['111 Wellington St\nOttawa Ontario K1A 0B1\nCanada', '111 Wellington St', 'Ottawa', 'Ontario', 'K1A 0B1'],
  ['1411 Holly St\nTrenton, New Jersey 08608', '1411 Holly St', 'Trenton', 'New Jersey', '08608'],
  ['1411 Holly St', '1411 Holly St', '', '', ''],
  ['Gate code 4411, call first', 'Gate code 4411, call first', '', '', ''],
])('%j is taken apart', (text, street, city, state, zip) => {
  expect(addressParts(text)).toEqual({ street, city, state, zip })
})
