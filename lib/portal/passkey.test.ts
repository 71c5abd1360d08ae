import { expect, test } from 'vitest'
import { makePasskey, wordsOfPasskeyFault } from './passkey'

test.each([
  ['NotAllowedError', 'cancelled'],
  ['InvalidStateError', 'in the list'],
  ['SecurityError', 'portal.example.com only'],
  ['NotSupportedError', 'screen lock'],
  ['UnknownError', 'Reload the page'],
])('a browser’s %s is told in plain words', (name, words) => {
  const told = wordsOfPasskeyFault(new DOMException('internals', name), 'portal.example.com')
  expect(told).toContain(words)
  expect(told).not.toContain('internals')
})

test('where there are no passkeys, the password is named', async () => {
  const options = {
    rp: { name: 'x' },
    user: { id: '', name: '', displayName: '' },
    challenge: '',
    pubKeyCredParams: [],
  }
  await expect(makePasskey(options)).rejects.toThrow('Use your password')
})
