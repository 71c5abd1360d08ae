import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isMac, macOf } from './mac'

const ofNode = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

/** RFC 4231, 4.2 and 4.3. */
const CASES: [secret: string, text: string, hex: string][] = [
  ['\v'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ['Jefe', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
]

test.each(CASES)('with the key %s: as published', (secret, text, hex) => {
  expect(Buffer.from(macOf(secret, text), 'base64url').toString('hex')).toBe(hex)
})

test('keys and texts of all lengths around a block and the kept buffer, in any order, give what Node gives', () => {
  const lengths = [0, 1, 31, 32, 55, 56, 63, 64, 65, 200, 4_095, 4_096, 4_097, 70_000]
  const secrets = [1, 31, 32, 63, 64, 65, 66, 500].flatMap((length) => ['s'.repeat(length), 'ß'.repeat(length)])
  for (const secret of secrets)
    for (const length of [...lengths, ...lengths.toReversed()])
      for (const letter of ['a', 'é', '𝄞']) {
        const text = letter.repeat(length)
        expect(macOf(secret, text), `${secret.length} and ${length} of ${letter}`).toBe(ofNode(secret, text))
      }
})

test('only the text of the code itself is accepted', () => {
  const code = macOf('secret', 'text')
  expect(isMac(code, 'secret', 'text')).toBe(true)
  expect(isMac(`${code}=`, 'secret', 'text')).toBe(false)
  expect(isMac(code.toLowerCase(), 'secret', 'text')).toBe(false)
  expect(isMac(code, 'secret', 'text ')).toBe(false)
  expect(isMac(code, 'secret2', 'text')).toBe(false)
  expect(isMac('', 'secret', 'text')).toBe(false)
})
