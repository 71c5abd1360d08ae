import { expect, test } from 'vitest'
import { companyKey, streetCandidates, streetKey, streetParts } from './street'

test.each([
  ['18th Avenue South', '18TH AVE S'],
  ['18TH AVE S', '18TH AVE S'],
  ['N. Main Street, Apt 4', 'N MAIN ST'],
  ["O'Hara Ln #12", 'OHARA LN'],
  ['CENTENNIAL BLVD 104', 'CENTENNIAL BLVD'],
  ['B 31st Ave N 310 B', '31ST AVE N'],
  ['Highway 70', 'HWY 70'],
  ['Avenue B', 'AVE B'],
  ['E Main St', 'E MAIN ST'],
  ['Brick Church Pike', 'BRICK CHURCH PIKE'],
  ['Broadway', 'BROADWAY'],
])('streetKey: %s is %s', (text, key) => expect(streetKey(text)).toBe(key))

test.each([
  ['1916 18th Ave S, Nashville, TN 37212', { number: 1916, street: '18TH AVE S', zip: '37212' }],
  ['1916 18th Avenue South Nashville TN 37212-1234', { number: 1916, street: '18TH AVE S NASHVILLE TN', zip: '37212' }],
  ['12-14 Elm St', { number: 12, street: 'ELM ST', zip: null }],
  ['12A Elm St', { number: 12, street: 'ELM ST', zip: null }],
  ['12 1/2 Elm St', { number: 12, street: 'ELM ST', zip: null }],
  ['Elm St', { number: null, street: 'ELM ST', zip: null }],
  ['37212', { number: 37212, street: null, zip: null }],
  ['9999999999 Elm St', { number: null, street: 'ELM ST', zip: null }],
  ['', { number: null, street: null, zip: null }],
])('streetParts: %s', (address, parts) => expect(streetParts(address)).toEqual(parts))

test('streetCandidates: removes city and state, but never a word of the street', () => {
  expect(streetCandidates('18TH AVE S NASHVILLE TN')).toEqual([
    '18TH AVE S NASHVILLE TN',
    '18TH AVE S NASHVILLE',
    '18TH AVE S',
  ])
})

test.each([
  ["ATLANTA'S RELIABLE ROOFING, LLC", 'atlantas reliable roofing'],
  ['The Stone & Sons Co.', 'stone and sons'],
  ['Company', 'company'],
  ['***', ''],
])('companyKey: %s is %s', (name, key) => expect(companyKey(name)).toBe(key))
