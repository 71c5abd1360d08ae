/**
 * A document as its reader hands it on, in reading order: headings (level 1 is the highest), prose, and what is read line by line
 * (code, the rows of a table).
 */
export type Block = { kind: 'heading'; level: number; text: string } | { kind: 'prose' | 'lines'; text: string }

/** What a reader found: the title the document gives itself, undefined when it gives none. */
export type ReadDocument = { title: string | undefined; blocks: Block[] }

/** Why a file cannot be read, in words that follow its name: "is encrypted …". */
export class DocumentProblem extends Error {
  override name = 'DocumentProblem'
}

/** More text than any manual has; beyond it a file is rather a mistake or a trap. Characters. */
export const MOST_TEXT = 5_000_000

/** @throws DocumentProblem when a document has grown beyond {@link MOST_TEXT} characters */
export function refuseBeyondMost(characters: number): void {
  if (characters > MOST_TEXT)
    throw new DocumentProblem(`holds more than ${MOST_TEXT.toLocaleString('en-US')} characters of text; split it`)
}

/** Soft hyphens and zero-width characters split words that a reader sees whole. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const CONTROL = /(?![\t\n])\p{Cc}/gu

/** Text the database takes and a search finds: composed characters, line feeds, nothing unseen, no halves of characters. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNSEEN, '').replace(CONTROL, ' ').normalize('NFC')
}

/** Prose on one line. */
export const inOneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

/** Lines without blanks at their ends and without blank lines around; what they begin with stays, as code is indented. */
export function asLines(text: string): string {
  const lines = cleanText(text)
    .split('\n')
    .map((line) => line.trimEnd())
  const first = lines.findIndex((line) => line !== '')
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n')
}
