import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, isKeyShaped, newKeyText } from './keys'

test('a new key has the documented format and a valid checksum', () => {
  for (let i = 0; i < 200; i++) {
    const key = newKeyText(i % 2 ? 'live' : 'test')
    expect(key).toMatch(/^plb_(live|test)_[0-9A-Za-z]{46}$/)
    expect(isKeyShaped(key)).toBe(true)
  }
})

test('changing any character breaks the checksum', () => {
  const key = newKeyText('live')
  fc.assert(
    fc.property(fc.integer({ min: 9, max: key.length - 1 }), fc.constantFrom(...'0aZ9'), (at, character) => {
      fc.pre(key[at] !== character)
      expect(isKeyShaped(key.slice(0, at) + character + key.slice(at + 1))).toBe(false)
    }),
  )
})

test('keys are unique and stored as SHA-256', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newKeyText('live'))).size).toBe(1000)
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
