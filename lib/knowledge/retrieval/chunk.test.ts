import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHUNK, chunkBlocks, weightOf } from './chunk'
import type { Block } from './readers/blocks'

const words = (n: number, word = 'roof') => Array.from({ length: n }, (_, i) => `${word}${i}`).join(' ')
const prose = (text: string): Block => ({ kind: 'prose', text })
const heading = (level: number, text: string): Block => ({ kind: 'heading', level, text })
const withoutBlanks = (text: string) => text.replace(/\s+|›/g, '')

const word = fc.stringMatching(/^[a-zé]{1,14}[.!?,]?$/)
const text = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 900 }).map((all) => all.join(' ')),
  fc.integer({ min: 1, max: 9_000 }).map((n) => 'x'.repeat(n)),
)
const block = fc.oneof(
  text.map(prose),
  text.map((text): Block => ({ kind: 'lines', text: text.replaceAll(', ', ',\n') })),
  fc.tuple(fc.integer({ min: 1, max: 6 }), word).map(([level, text]) => heading(level, text)),
)

test('text is complete and in order, no chunk is too long, and the same blocks give the same chunks', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
      const chunks = chunkBlocks('the title', blocks)
      for (const { text } of chunks) expect(weightOf(text)).toBeLessThanOrEqual(CHUNK.most)
      const all = withoutBlanks(chunks.map(({ text }) => text).join(' '))
      let at = 0
      for (const { text } of blocks.filter(({ kind }) => kind !== 'heading')) {
        const wanted = withoutBlanks(text)
        // Headings of merged sections may stand between blocks, but never inside one.
        const found = all.indexOf(wanted, at)
        expect(found).toBeGreaterThanOrEqual(at)
        at = found + wanted.length
      }
      const everything = withoutBlanks(chunks.map(({ heading, text }) => heading + text).join(' '))
      for (const { text } of blocks.filter(({ kind }) => kind === 'heading'))
        expect(everything).toContain(withoutBlanks(text))
      expect(chunkBlocks('the title', blocks)).toEqual(chunks)
    }),
    { numRuns: 200 },
  )
})

test('a long section is split between sentences into even parts', () => {
  const sentences = Array.from({ length: 90 }, (_, i) => `${words(9, `s${i}w`)} ends.`)
  const chunks = chunkBlocks('t', [heading(1, 'Terms'), prose(sentences.join(' '))])
  // 900 words make three parts of 300.
  expect(chunks.map(({ heading, text }) => [heading, text.split(' ').length])).toEqual([
    ['Terms', 300],
    ['Terms', 300],
    ['Terms', 300],
  ])
  for (const { text } of chunks) expect(text).toMatch(/ends\.$/)
})

test('consecutive short sections share a chunk; headings that they do not share are in its text', () => {
  const blocks = [
    heading(1, 'Terms'),
    heading(2, 'Deposits'),
    prose('Ten percent.'),
    heading(2, 'Refunds'),
    prose('None.'),
  ]
  expect(chunkBlocks('t', blocks)).toEqual([{ heading: 'Terms', text: 'Deposits\nTen percent.\n\nRefunds\nNone.' }])
  // The document's title is not repeated.
  expect(chunkBlocks('Terms', blocks)[0]?.heading).toBe('')
})

test('a table stays whole if it fits, and is split between rows otherwise', () => {
  const rows = (n: number) => Array.from({ length: n }, (_, i) => `row ${i} | ${words(8)}`).join('\n')
  const small: Block = { kind: 'lines', text: rows(20) }
  const [first, second] = chunkBlocks('t', [prose(words(200)), small])
  expect([first?.text, second?.text]).toEqual([words(200), small.text])
  for (const { text } of chunkBlocks('t', [{ kind: 'lines', text: rows(100) }]))
    for (const line of text.split('\n')) expect(line).toMatch(/^row \d+ \| .*roof7$/)
})

test('a heading with nothing under it is still found', () => {
  expect(chunkBlocks('t', [heading(2, 'Call us'), heading(2, 'Hours'), prose('Nine to five.')])).toEqual([
    { heading: '', text: 'Call us\nCall us\n\nHours\nNine to five.' },
  ])
})
