import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceError } from './errors'
import { parseJsonObject } from './json'

const REFUSED: [title: string, text: string][] = [
  ['nothing', ''],
  ['no JSON', '{"a":'],
  ['an array', '[]'],
  ['a bare text', '"a"'],
  ['null', 'null'],
  ['a name twice', '{"a":1,"a":2}'],
  ['a name twice, one spelled by an escape', '{"a":1,"\\u0061":2}'],
  ['a name twice, deep inside', '{"x":[{"a":{"b":1,"b":1}}]}'],
  ['a name twice with blanks before the colon', '{"a" :1,"a"\n:2}'],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['a length that cannot be compared', '{"a":{"length":{"toString":""}}}'],
  ['a size that cannot be compared, deep inside', '{"size":[[{"toString":1}]]}'],
  ['nesting without end', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
  ['a number beyond all numbers', '{"a":1e400}'],
  ['NUL', '{"a":"x\\u0000y"}'],
  ['NUL in a name', '{"x\\u0000y":1}'],
  ['half a surrogate pair', '{"a":"\\ud800"}'],
]

describe('parseJsonObject', () => {
  test.each(REFUSED)('%s is refused', (_, text) => {
    expect(() => parseJsonObject(text)).toThrow(ServiceError)
  })

  test('the same name in two objects, names inside texts and brackets inside texts are fine', () => {
    const text = '{"a":{"b":1},"c":{"b":2},"d":["\\"a\\":1","{[","]}"],"e":"\\\\"}'
    expect(parseJsonObject(text)).toEqual(JSON.parse(text))
  })

  test('it parses like JSON.parse except for null fields, whatever the spacing', () => {
    const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }))
    fc.assert(
      fc.property(objects, fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        if (/__proto__|"toString"|\\u0000/.test(text)) return
        const wanted = Object.entries(JSON.parse(text)).filter(([, field]) => field !== null)
        expect(parseJsonObject(text)).toEqual(Object.fromEntries(wanted))
      }),
    )
  })

  test('any text gives an object or a ServiceError, nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          expect(typeof parseJsonObject(text)).toBe('object')
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
        }
      }),
    )
  })
})
