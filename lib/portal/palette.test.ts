import { expect, test } from 'vitest'
import { isNamed, matching } from './palette'

const pages = [
  { name: 'Keys', about: 'Issue, rotate and revoke API keys' },
  { name: 'API explorer', about: 'Every endpoint, with samples' },
  { name: 'Guides', about: 'Quick start, sync, leads, agents, errors', words: 'documentation' },
]
const found = (text: string) => matching(pages, text).map(({ name }) => name)

test('matching: a match at the start of the name ranks before the start of a word, then the middle of a word', () => {
  expect(found('')).toEqual(['Keys', 'API explorer', 'Guides'])
  expect(found('api')).toEqual(['API explorer', 'Keys'])
  expect(found(' ROTATE')).toEqual(['Keys'])
  expect(found('sync leads')).toEqual(['Guides'])
  expect(found('lorer')).toEqual(['API explorer'])
  expect(found('docu')).toEqual(['Guides'])
  expect(found('zebra')).toEqual([])
})

test.each([
  ['owes', true],
  ['Who o', true],
  ['who owes', true],
  ['owe', false],
  ['ho owes', false],
])('isNamed: “%s” is the page Who owes: %s', (text, is) => {
  expect(isNamed({ name: 'Who owes' }, text)).toBe(is)
})
