import { getDocumentProxy } from 'unpdf'
import { isOwnFault } from '@/lib/core/fault-code'
import { type Block, DocumentProblem, inOneLine, type ReadDocument, refuseBeyondMost } from './blocks'

/** A limit above the longest code book. */
const MOST_PAGES = 3_000

/** The fields used of a text item on a page; `transform[5]` is its height above the bottom of the page. */
type Item = { str: string; height: number; transform: number[]; hasEOL: boolean }
type Line = { text: string; size: number; y: number; page: number }
type Paragraph = { text: string; size: number; lines: number }

/** Groups a page's items into lines. A line's size is that of its largest letters. */
function linesOf(items: Item[], page: number): Line[] {
  const lines: Line[] = []
  let open: Line | undefined
  for (const { str, height, transform, hasEOL } of items) {
    const y = transform[5] ?? 0
    if (str.trim() !== '') {
      open ??= { text: '', size: 0, y, page }
      open.text += str
      open.size = Math.max(open.size, height)
    } else if (open) open.text += str
    if (!hasEOL || !open) continue
    lines.push(open)
    open = undefined
  }
  return open ? [...lines, open] : lines
}

/** Rejoins a word that was hyphenated at the end of a line. */
const append = (text: string, line: string) =>
  /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line) ? text.slice(0, -1) + line : `${text} ${line}`

/** Groups lines into paragraphs. A gap, a change of size or a new page starts a new paragraph. */
function paragraphsOf(lines: Line[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let before: Line | undefined
  for (const line of lines) {
    const last = paragraphs.at(-1)
    const follows = before && before.page === line.page && Math.abs(before.size - line.size) < line.size / 10
    const gap = before ? Math.abs(before.y - line.y) : 0
    if (last && follows && gap < 1.7 * line.size) {
      last.text = append(last.text.trimEnd(), line.text.trim())
      last.lines++
    } else paragraphs.push({ text: line.text, size: line.size, lines: 1 })
    before = line
  }
  return paragraphs
}

/** The size in which most characters are set. */
function bodySize(paragraphs: Paragraph[]): number {
  const characters = new Map<number, number>()
  for (const { size, text } of paragraphs) characters.set(size, (characters.get(size) ?? 0) + text.length)
  return [...characters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** Returns a block: large type on one or two lines is a heading; larger type is a higher level. */
function toBlock({ text, size, lines }: Paragraph, body: number): Block {
  const ratio = body > 0 ? size / body : 1
  const prose = inOneLine(text)
  if (ratio < 1.15 || lines > 2 || prose.length > 150) return { kind: 'prose', text: prose }
  return { kind: 'heading', level: ratio >= 1.7 ? 1 : ratio >= 1.35 ? 2 : 3, text: prose }
}

const open = async (bytes: Uint8Array) => {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0 })
  } catch (error) {
    if (isOwnFault(error)) throw error
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException') throw new DocumentProblem('is locked by a password; save it without one')
    throw new DocumentProblem('is not a PDF that can be read; it may be damaged or cut short')
  }
}

async function readLines(pdf: Awaited<ReturnType<typeof open>>): Promise<Line[]> {
  const lines: Line[] = []
  let characters = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    for (const line of linesOf(
      items.flatMap((item) => ('str' in item ? [item] : [])),
      number,
    )) {
      characters += line.text.length
      refuseBeyondMost(characters)
      lines.push(line)
    }
    page.cleanup()
  }
  return lines
}

/** Returns the title in a PDF's metadata, unless a word processor generated it. */
async function titleOf(pdf: Awaited<ReturnType<typeof open>>): Promise<string | undefined> {
  const { info } = await pdf.getMetadata()
  const title: unknown = Object(info).Title
  const text = typeof title === 'string' ? inOneLine(title) : ''
  return text === '' || /^(microsoft word|untitled)/i.test(text) ? undefined : text
}

/**
 * Reads the text of a PDF page by page: gaps between lines separate paragraphs, and type size marks headings.
 * @throws DocumentProblem when it is locked, damaged, too long, or holds no text
 */
export async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const pdf = await open(bytes)
  try {
    if (pdf.numPages > MOST_PAGES)
      throw new DocumentProblem(`has ${pdf.numPages} pages; at most ${MOST_PAGES} are read, split it`)
    const title = await titleOf(pdf)
    const paragraphs = paragraphsOf(await readLines(pdf))
    const body = bodySize(paragraphs)
    const blocks = paragraphs.map((paragraph) => toBlock(paragraph, body))
    if (blocks.length === 0)
      throw new DocumentProblem('holds no text; a scanned PDF must go through text recognition first')
    return { title: title ?? blocks.find(({ kind }) => kind === 'heading')?.text, blocks }
  } catch (error) {
    if (error instanceof DocumentProblem || isOwnFault(error)) throw error
    throw new DocumentProblem('is not a PDF that can be read; a page of it is damaged')
  } finally {
    await pdf.destroy().catch(() => {})
  }
}
