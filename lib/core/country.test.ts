import { expect, test } from 'vitest'
import { countryOf, dateOrderOf, decimalMarkOf } from './country'

test.each([
  [{ country: 'DE', timezone: 'America/New_York', currency: 'USD' }, 'DE'],
  [{ country: null, timezone: 'America/New_York', currency: 'USD' }, 'US'],
  [{ timezone: 'Pacific/Honolulu', currency: 'USD' }, 'US'],
  [{ timezone: 'America/Toronto', currency: 'USD' }, 'CA'],
  [{ timezone: 'America/St_Johns', currency: 'CAD' }, 'CA'],
  [{ timezone: 'UTC', currency: 'CAD' }, 'CA'],
  [{ timezone: 'Europe/London', currency: 'EUR' }, 'GB'],
  [{ timezone: 'Australia/Perth', currency: 'AUD' }, 'AU'],
  [{ timezone: 'Pacific/Auckland', currency: 'NZD' }, 'NZ'],
  [{ timezone: 'Europe/Berlin', currency: 'EUR' }, 'DE'],
  [{ timezone: 'Europe/Helsinki', currency: 'EUR' }, undefined],
])('%j is in %s', (place, country) => {
  expect(countryOf(place)).toBe(country)
})

test.each([
  ['US', 'mdy', '.'],
  ['CA', undefined, '.'],
  ['GB', 'dmy', '.'],
  ['DE', 'dmy', ','],
  ['FR', 'dmy', ','],
  [undefined, undefined, '.'],
] as const)('%s writes dates %s and decimals %j', (country, order, mark) => {
  expect([dateOrderOf(country), decimalMarkOf(country)]).toEqual([order, mark])
})
