import { expect, test } from 'vitest'
import { shortcutOf } from './shortcuts'

const pressed = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean } = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

test.each([
  [pressed('k', { ctrlKey: true }), false, 'palette'],
  [pressed('K', { metaKey: true }), true, 'palette'],
  [pressed('/'), false, 'search'],
  [pressed('?'), false, 'keys'],
  [pressed('/'), true, undefined],
  [pressed('?'), true, undefined],
  [pressed('/', { ctrlKey: true }), false, undefined],
  [pressed('j'), false, 'next'],
  [pressed('k'), false, 'previous'],
  [pressed('j'), true, undefined],
  [pressed('x'), false, undefined],
])('shortcutOf: %j while typing (%s) is %s', (key, isTyping, does) => {
  expect(shortcutOf(key, isTyping)).toBe(does)
})
