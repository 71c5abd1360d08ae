import { expect, test } from 'vitest'
import { newKeyText } from './keys'
import { presentedKey } from './presented-key'

const [KEY, OTHER] = [newKeyText('live'), newKeyText('live')]
const basic = (password: string) => `Basic ${Buffer.from(`someone:${password}`).toString('base64')}`

test.each<[string, Record<string, string>, boolean, string | undefined]>([
  ['x-api-key alone', { 'x-api-key': KEY }, false, KEY],
  ['Bearer alone', { authorization: `Bearer ${KEY}` }, false, KEY],
  ['both, the same', { 'x-api-key': KEY, authorization: `Bearer ${KEY}` }, false, KEY],
  ['both, different', { 'x-api-key': KEY, authorization: `Bearer ${OTHER}` }, false, undefined],
  [
    'x-api-key beside the credentials of a proxy',
    { 'x-api-key': KEY, authorization: basic('open sesame') },
    false,
    KEY,
  ],
  ['the same where Basic is read', { 'x-api-key': KEY, authorization: basic('open sesame') }, true, KEY],
  ['x-api-key beside another key as Basic', { 'x-api-key': KEY, authorization: basic(OTHER) }, true, undefined],
  ['another key as Basic where that is not read', { 'x-api-key': KEY, authorization: basic(OTHER) }, false, undefined],
  ['Basic alone where it is read', { authorization: basic(KEY) }, true, KEY],
  ['Basic alone where it is not', { authorization: basic(KEY) }, false, undefined],
  ['another scheme', { 'x-api-key': KEY, authorization: 'Digest x' }, false, undefined],
])('the key of a request with %s', (_, headers, takesBasic, expected) => {
  expect(presentedKey(new Headers(headers), takesBasic)).toBe(expected)
})
