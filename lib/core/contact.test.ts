import { expect, test } from 'vitest'
import { parseEmail, phoneText } from './contact'

test.each([
  ['+16155550142', 'US', '(615) 555-0142'],
  ['+16155550142', 'CA', '(615) 555-0142'],
  ['+442079460018', 'US', '+44 20 7946 0018'],
  ['+442079460018', 'GB', '020 7946 0018'],
  ['ask for Ana', 'US', 'ask for Ana'],
])('%s is written in %s as %s', (stored, country, text) => expect(phoneText(stored, country)).toBe(text))

test.each([
  [' Ana.Ruiz+office@Example.COM ', 'ana.ruiz+office@example.com'],
  // In lower case it would be another person's: mike@example.com.
  ['mi\u212Ae@example.com', undefined],
  ['\u0430na@example.com', undefined],
  ['ana@ex\u0430mple.com', undefined],
  ['ana@example.com\u200B', undefined],
  ['ana@example.com\r\nBcc: eve@example.com', undefined],
  ['ana@example.com,eve@example.com', undefined],
  ['Ana <ana@example.com>', undefined],
  ['ana@localhost', undefined],
])('%j is read as %j', (text, email) => expect(parseEmail(text)).toBe(email))
