import { oneLine } from '@/lib/core/text'

/** A part of a document, in reading order: a heading (level 1 is the highest), prose, or text kept line by line (code, table rows). */
export type Block = { kind: 'heading'; level: number; text: string } | { kind: 'prose' | 'lines'; text: string }

/** A document as read. `title` is the one it declares, undefined when it declares none. */
export type ReadDocument = { title: string | undefined; blocks: Block[] }

/** The reason why a file cannot be read, worded to follow its name: "is encrypted …". */
export class DocumentProblem extends Error {
  override name = 'DocumentProblem'
}

/** The limit in characters. No manual has this much text, so a longer file is a mistake or an attack. */
const MOST_TEXT = 5_000_000

/** @throws DocumentProblem when a document is longer than {@link MOST_TEXT} characters */
export function refuseBeyondMost(characters: number): void {
  if (characters > MOST_TEXT)
    throw new DocumentProblem(`holds more than ${MOST_TEXT.toLocaleString('en-US')} characters of text; split it`)
}

/** Soft hyphens and zero-width characters, which split words that look whole. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const CONTROL = /(?![\t\n])\p{Cc}/gu

/** Cleans text for storage and search: composed characters, line feeds, no invisible characters, no lone surrogates. */
function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNSEEN, '').replace(CONTROL, ' ').normalize('NFC')
}

/** Puts prose on one line. */
export const inOneLine = (text: string): string => oneLine(cleanText(text))

/** Trims the end of each line and drops blank lines at both ends. Indentation stays, because code depends on it. */
export function asLines(text: string): string {
  const lines = cleanText(text)
    .split('\n')
    .map((line) => line.trimEnd())
  const first = lines.findIndex((line) => line !== '')
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n')
}
