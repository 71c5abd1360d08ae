import { basename, extname } from 'node:path'
import { chunkBlocks } from '../chunk'
import type { Chunk } from '../document'
import { DocumentProblem, inOneLine, type ReadDocument, refuseBeyondMost } from './blocks'
import { declaredEncoding, decodeText } from './decode'

/**
 * Reads plain text: a blank line ends a paragraph. It has no title.
 * @throws DocumentProblem when it holds too much text
 */
export function readPlain(text: string): ReadDocument {
  refuseBeyondMost(text.length)
  const paragraphs = text.split(/\r?\n[ \t]*\r?\n/)
  return {
    title: undefined,
    blocks: paragraphs.flatMap((paragraph) => {
      const prose = inOneLine(paragraph)
      return prose === '' ? [] : [{ kind: 'prose' as const, text: prose }]
    }),
  }
}

type Reader = (bytes: Uint8Array) => ReadDocument | Promise<ReadDocument>

const markdown: Reader = async (bytes) => (await import('./markdown')).readMarkdown(decodeText(bytes))
const plain: Reader = (bytes) => readPlain(decodeText(bytes))
const html: Reader = async (bytes) => (await import('./html')).readHtml(decodeText(bytes, declaredEncoding(bytes)))
const pdf: Reader = async (bytes) => (await import('./pdf')).readPdf(bytes)

/** The reader for each file extension, loaded with the first file of its kind. */
const READERS: Record<string, Reader> = {
  '.md': markdown,
  '.markdown': markdown,
  '.txt': plain,
  '.text': plain,
  '.html': html,
  '.htm': html,
  '.pdf': pdf,
}

/** The file extensions that can be read. */
export const ENDINGS = Object.keys(READERS)

/** A file ready for the index. */
export type ReadFile = { title: string; chunks: Chunk[] }

/** The maximum length of a title in characters. */
const LONGEST_TITLE = 300

const nameWithoutEnding = (name: string) => basename(name, extname(name)).replace(/[_-]+/g, ' ').trim()

/**
 * Reads a file according to its extension and splits it into chunks. A document without a title is named after its file.
 * @throws DocumentProblem with the reason it cannot be read
 */
export async function readFileBytes(name: string, bytes: Uint8Array): Promise<ReadFile> {
  const reader = READERS[extname(name).toLowerCase()]
  if (!reader) throw new DocumentProblem(`is not of a type that is read: ${ENDINGS.join(', ')}`)
  const { title, blocks } = await reader(bytes)
  const called = inOneLine(title || nameWithoutEnding(name) || name)
    .slice(0, LONGEST_TITLE)
    .toWellFormed()
  const chunks = chunkBlocks(called, blocks)
  if (chunks.length === 0) throw new DocumentProblem('holds no text')
  return { title: called, chunks }
}
