import { expect, test } from 'vitest'
import { growth } from '@/lib/testing/growth'
import { chunkBlocks } from '../chunk'
import type { ReadDocument } from './blocks'
import { readHtml } from './html'
import { readMarkdown } from './markdown'
import { readPlain } from './read'

const times = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length))
const inside = (before: string, piece: string, after: string) => (size: number) => before + times(piece)(size) + after

const HTML: [string, (size: number) => string][] = [
  ['line feeds in <pre>', inside('<pre>a', '\n', 'b</pre>')],
  ['blanks in <pre>', inside('<pre>a', ' ', 'b</pre>')],
  ['cells', inside('<table><tr>', '<td>', '')],
  ['cells with text', inside('<table><tr>', '<td>a', '')],
  ['rows', inside('<table>', '<tr>', '')],
  ['paragraphs in a cell', inside('<table><tr><td>', '<p>', '')],
  ['line breaks', times('<br>')],
  ['headings', times('<h1>a</h1><h2>b</h2><h3>c</h3>')],
  ['attributes', inside('<a ', 'b=c ', '>')],
  ['ampersands', times('&')],
  ['signs that open nothing', times('<')],
  ['comments without end', times('<!--')],
]
const MARKDOWN: [string, (size: number) => string][] = [
  ['emphasis by underlines', times('_a_')],
  ['emphasis that never closes', times('*a ')],
  ['strong that never closes', times('**a ')],
  ['brackets', times('[')],
  ['links that never close', times('[a](')],
  ['images that never close', times('![a]')],
  ['references', inside('[a]: b\n\n', '[a]', '')],
  ['struck words', times('~a~ ')],
  ['addresses', times('http://a.')],
  ['mail addresses', times('a@a.')],
  ['backslashes', times('\\')],
  ['line feeds', inside('a', '\n', 'b')],
  ['blanks', inside('a', ' ', 'b')],
  ['table rows', inside('|a|b|\n|-|-|\n', '|1|2|\n', '')],
  ['headings', times('# a\n')],
  ['front matter without end', inside('---\n', 'a', '')],
]
const PLAIN: [string, (size: number) => string][] = [
  ['line feeds', inside('a', '\n', 'b')],
  ['tabs', inside('a\n', '\t', 'b')],
  ['one word', times('a')],
  ['ends of sentences', times('a. ')],
  ['quotes', inside('', '"', '. b')],
  ['accents on one letter', inside('e', '\u0301', '')],
]
const chunk = ({ blocks }: ReadDocument) => chunkBlocks('t', blocks)

// Quadratic work would grow sixteenfold. Garbage collection and other processes can make linear work look like sevenfold at most.
test.each([
  ...HTML.map(([name, make]) => [`HTML: ${name}`, make, (text: string) => chunk(readHtml(text))] as const),
  ...MARKDOWN.map(([name, make]) => [`Markdown: ${name}`, make, (text: string) => chunk(readMarkdown(text))] as const),
  ...PLAIN.map(([name, make]) => [`text: ${name}`, make, (text: string) => chunk(readPlain(text))] as const),
])(
  '%s: four times as much takes about four times as long',
  (_, make, read) => expect(growth(make, read, 40_000)).toBeLessThan(10),
  120_000,
)

test('emphasis in an overlong paragraph is kept as plain text', () => {
  expect(readMarkdown(`*short*\n\n${'_a_ '.repeat(2_000)}`).blocks).toEqual([
    { kind: 'prose', text: 'short' },
    { kind: 'prose', text: '_a_ '.repeat(2_000).trim() },
  ])
})
