import { expect, test } from 'vitest'
import { phoneText } from './phone'

test.each([
  ['+16155550142', 'US', '(615) 555-0142'],
  ['+16155550142', 'CA', '(615) 555-0142'],
  ['+442079460018', 'US', '+44 20 7946 0018'],
  ['+442079460018', 'GB', '020 7946 0018'],
  ['ask for Ana', 'US', 'ask for Ana'],
])('%s is written in %s as %s', (stored, country, text) => expect(phoneText(stored, country)).toBe(text))
