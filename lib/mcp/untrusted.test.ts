import { expect, test } from 'vitest'
import { UNTRUSTED_META, untrustedMeta, untrustedNote } from './untrusted'

test('a result is marked with the fields that strangers wrote, for programs and for models', () => {
  expect(untrustedMeta(['name', 'email'])).toEqual({ [UNTRUSTED_META]: ['name', 'email'] })
  expect(untrustedNote(['name', 'email'])).toContain('name, email')
  expect([untrustedMeta([]), untrustedNote([])]).toEqual([undefined, undefined])
  // MCP 2025-11-25, `_meta`: a prefix of labels, a slash, a name; never one that belongs to MCP.
  expect(UNTRUSTED_META).toMatch(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*\/[a-z0-9][\w.-]*$/)
})
