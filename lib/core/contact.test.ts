import { expect, test } from 'vitest'
import { parseEmail } from './contact'

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
