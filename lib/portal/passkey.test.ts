import { expect, test } from 'vitest'
import { createPasskey, explainPasskeyError } from './passkey'

test.each([
  ['NotAllowedError', 'canceled'],
  ['InvalidStateError', 'in the list'],
  ['SecurityError', 'portal.example.com only'],
  ['NotSupportedError', 'screen lock'],
  ['UnknownError', 'Reload the page'],
])('a browser’s %s is explained in plain words', (name, words) => {
  const told = explainPasskeyError(new DOMException('internals', name), 'portal.example.com')
  expect(told).toContain(words)
  expect(told).not.toContain('internals')
})

test('a browser without passkeys is told to use the password', async () => {
  const options = {
    rp: { name: 'x' },
    user: { id: '', name: '', displayName: '' },
    challenge: '',
    pubKeyCredParams: [],
  }
  await expect(createPasskey(options)).rejects.toThrow('Use your password')
})
