import { expect, test } from 'vitest'
import { seal, unseal } from './seal'

const [SECRET, OTHER] = ['a-secret-of-at-least-32-characters', 'another-secret-of-32-characters-or-so']

test('what was sealed is read with the same secret, current or previous, for the same purpose, and unchanged alone', () => {
  const sealed = seal(SECRET, 'tests', 'whsec_text')
  expect(sealed).not.toContain('whsec')
  expect(seal(SECRET, 'tests', 'whsec_text')).not.toBe(sealed)
  expect(unseal([SECRET], 'tests', sealed)).toBe('whsec_text')
  expect(unseal([OTHER, SECRET], 'tests', sealed)).toBe('whsec_text')
  expect(unseal([OTHER, undefined], 'tests', sealed)).toBeUndefined()
  expect(unseal([SECRET], 'other tests', sealed)).toBeUndefined()
  const bytes = Buffer.from(sealed, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(unseal([SECRET], 'tests', bytes.toString('base64url'))).toBeUndefined()
  expect(unseal([SECRET], 'tests', '')).toBeUndefined()
})
