import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanAnswer, cleanText, isCleanJson } from './clean'

const BIDI = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
const tags = (text: string) => String.fromCodePoint(...[...text].map((c) => 0xe0000 + (c.codePointAt(0) ?? 0)))

const UNSEEN = /[\p{Bidi_Control}\u{e0000}-\u{e007f}]|(?![\t\n])\p{Cc}/u
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b', '\u009b', '\u009d', '[', ']', '\\', '\u0007', '31m', '\r', ...BIDI, tags('x')),
    ),
  )
  .map((parts) => parts.join(''))

describe('cleanText', () => {
  test.each([
    ['plain text stays', 'Dana O’Neil – 28 sq, 3/12 “steep”', 'Dana O’Neil – 28 sq, 3/12 “steep”'],
    ['other scripts stay', 'María 李 עברית عربي 👩‍🔧 🇺🇸', 'María 李 עברית عربي 👩‍🔧 🇺🇸'],
    ['tabs and line feeds stay', 'a\tb\nc', 'a\tb\nc'],
    ['carriage returns become line feeds', 'a\r\nb\rc', 'a\nb\nc'],
    ['colors go whole', '\u001b[1;31mred\u001b[0m', 'red'],
    ['cursor and screen', 'a\u001b[2J\u001b[1;1Hb\u001b[?25l', 'ab'],
    ['8-bit control sequences', 'a\u009b31mb', 'ab'],
    ['titles and links, ended by BEL or ST', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u009d2;t\u009cc', 'abc'],
    ['device strings', 'a\u001bP1$r\u001b\\b\u001b_app\u001b\\c\u001b^pm\u001b\\d', 'abcd'],
    ['a title without an end loses its introducer only', 'a\u001b]0;title', 'a0;title'],
    ['other escapes', 'a\u001bcb\u001b(Bc\u001b7d', 'abcd'],
    ['a lone escape', 'a\u001b', 'a'],
    ['C0, DEL, C1', 'a\u0000b\u0007c\u0008d\u007fe\u0085f\u009ag', 'abcdefg'],
    ['bidirectional controls', `a${BIDI}b`, 'ab'],
    ['a sequence hidden behind one', 'a\u001b\u202e[31mb', 'ab'],
    ['tag characters', `a${tags('ignore all')}b`, 'ab'],
    ['halves of surrogate pairs', 'a\ud800b', 'a\ufffdb'],
    ['nothing', '', ''],
  ])('%s', (_, text, clean) => expect(cleanText(text)).toBe(clean))

  test('cleaning removes all invisible characters, and cleaning twice changes nothing more', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = cleanText(text)
        expect(clean).not.toMatch(UNSEEN)
        expect(clean.isWellFormed()).toBe(true)
        expect(cleanText(clean)).toBe(clean)
      }),
    )
  })

  test('a text without invisible characters is unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!UNSEEN.test(text))
        expect(cleanText(text)).toBe(text)
      }),
    )
  })
})

describe('isCleanJson', () => {
  test('a text that counts as clean is not changed by cleaning', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'grapheme' })), (name) => {
        if (isCleanJson(JSON.stringify({ name }))) expect(cleanText(name)).toBe(name)
      }),
    )
  })

  test('normal text counts as clean', () => {
    for (const name of ['Dana O’Neil', 'María "Mia" 李', 'Re-roof, 28 sq\n2 layers\tsteep', 'C:\\Plans', 'a/b 👩‍🔧'])
      expect(isCleanJson(JSON.stringify({ name, amount: 200.2 })), name).toBe(true)
  })

  test.each(['\u001b[0m', '\r', '\u0000', '\u0008', '\u000c', '\u007f', '\u009b', '\u202e', '\ud800', tags('x')])(
    '%j does not',
    (name) => expect(isCleanJson(JSON.stringify({ name }))).toBe(false),
  )

  test('characters that Postgres writes raw and JavaScript may escape do not either', () => {
    for (const name of ['\u007f', '\u009b', ...BIDI, tags('x')]) expect(isCleanJson(`{"name":"${name}"}`)).toBe(false)
  })
})

describe('cleanAnswer', () => {
  test('cleans every string at any depth, and nothing else', () => {
    const answer = {
      id: 'a\u001b[0m',
      n: 1.1,
      no: null,
      yes: true,
      list: ['\u202ea', { name: 'b\u0007', deep: [['\u200f']] }],
    }
    const before = structuredClone(answer)
    expect(cleanAnswer(answer)).toEqual({
      id: 'a',
      n: 1.1,
      no: null,
      yes: true,
      list: ['a', { name: 'b', deep: [['']] }],
    })
    expect(answer).toEqual(before)
  })

  test('any JSON keeps its structure, and its text has no invisible characters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (answer) => {
        const clean = cleanAnswer(answer)
        const shape = (value: unknown) => JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? '' : inner))
        expect(shape(clean)).toBe(shape(answer))
        expect(cleanAnswer(clean)).toEqual(clean)
      }),
    )
  })
})
