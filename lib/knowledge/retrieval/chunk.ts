import type { Chunk } from './document'
import type { Block } from './readers/blocks'

/**
 * Chunk sizes in words: never more than `most`; about `target` where a section is split; short adjacent sections merge up to
 * `together`.
 */
export const CHUNK = { most: 350, target: 300, together: 250 }

/** The characters that count as at least one word. Otherwise chunks of code, tables and languages without spaces could grow without limit. */
const CHARACTERS_PER_WORD = 12
/** A longer heading is really a paragraph set in large type. */
const LONGEST_HEADING = 150
const PATH = ' › '

/** Returns the size of a text within a chunk, in words. */
export const weightOf = (text: string): number =>
  Math.max(text.match(/\S+/g)?.length ?? 0, Math.ceil((text.length + 2) / CHARACTERS_PER_WORD))

/** A text that is never split, and the separator before it when it follows another. */
type Atom = { text: string; before: string }

/** The gap between two sentences, after any closing quotes and brackets. Not `Intl.Segmenter`, which takes minutes for a book. */
const BETWEEN_SENTENCES = /(?<=[.!?…]["'”’)\]]{0,3})\s+/

function cutWord(word: string): string[] {
  const characters = [...word]
  const size = CHUNK.target * 5
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(''),
  )
}

/** Splits a text that does not fit a chunk into words, and words that do not fit into parts. */
const fitting = (text: string, before: string): Atom[] =>
  weightOf(text) <= CHUNK.most
    ? [{ text, before }]
    : (text.match(/\S+/g) ?? []).flatMap((word, i) =>
        cutWord(word).map((part, j) => ({ text: part, before: i + j === 0 ? before : j === 0 ? ' ' : '' })),
      )

/** Returns a whole block when it fits, otherwise its sentences or lines. */
function atomsOf({ kind, text }: Block): Atom[] {
  if (weightOf(text) <= CHUNK.most) return [{ text, before: '\n\n' }]
  const isProse = kind !== 'lines'
  const parts = isProse ? text.split(BETWEEN_SENTENCES) : text.split('\n')
  return parts
    .filter((part) => part.trim() !== '')
    .flatMap((part, i) => fitting(part, i === 0 ? '\n\n' : isProse ? ' ' : '\n'))
}

type Section = { path: string[]; blocks: Block[] }
/** A piece of a section; `isWhole` is true when it holds its whole section. */
type Piece = { path: string[]; text: string; isWhole: boolean }

/** Groups blocks under their headings. A heading with nothing under it becomes text, so that search can find it. */
function sectionsOf(blocks: Block[]): Section[] {
  const sections: Section[] = []
  let open: { level: number; text: string }[] = []
  let section: Section = { path: [], blocks: [] }
  const close = (next: number) => {
    const last = open.at(-1)
    if (section.blocks.length === 0 && last && next <= last.level)
      section.blocks.push({ kind: 'prose', text: last.text })
    if (section.blocks.length > 0) sections.push(section)
  }
  for (const block of blocks) {
    if (block.kind === 'heading' && block.text.length <= LONGEST_HEADING) {
      close(block.level)
      open = [...open.filter(({ level }) => level < block.level), block]
      section = { path: open.map(({ text }) => text), blocks: [] }
    } else section.blocks.push(block)
  }
  close(0)
  return sections
}

/** Splits a section into pieces of about equal size. */
function piecesOf({ path, blocks }: Section): Piece[] {
  const atoms = blocks.flatMap(atomsOf).map((atom) => ({ ...atom, weight: weightOf(atom.text) }))
  const total = atoms.reduce((sum, { weight }) => sum + weight, 0)
  const target = total / Math.ceil(total / CHUNK.target)
  const pieces: (Piece & { weight: number })[] = []
  for (const { text, before, weight } of atoms) {
    const last = pieces.at(-1)
    if (!last || last.weight >= target || last.weight + weight > CHUNK.most)
      pieces.push({ path, text, weight, isWhole: true })
    else {
      last.text += before + text
      last.weight += weight
    }
  }
  return pieces.map(({ text }) => ({ path, text, isWhole: pieces.length === 1 }))
}

function commonPath(a: string[], b: string[]): string[] {
  const end = a.findIndex((text, i) => text !== b[i])
  return end === -1 ? a : a.slice(0, end)
}

/** A piece's text, preceded by the headings that the merged chunk does not share. */
const below = ({ path, text }: Piece, common: string[]) =>
  path.length === common.length ? text : `${path.slice(common.length).join(PATH)}\n${text}`

/** Merges two short sections; undefined when the result would be too long. */
function joined(a: Piece, b: Piece): Piece | undefined {
  if (!a.isWhole || !b.isWhole) return undefined
  const path = commonPath(a.path, b.path)
  const text = `${below(a, path)}\n\n${below(b, path)}`
  return weightOf(text) <= CHUNK.together ? { path, text, isWhole: true } : undefined
}

/**
 * Splits a document into chunks of at most {@link CHUNK}.most words: by headings, then paragraphs, then sentences. Code and tables
 * stay whole where they fit. Short consecutive sections share a chunk, with their headings in its text. No text is lost: everything
 * appears in document order in a chunk, its heading or the title. The same blocks always give the same chunks.
 */
export function chunkBlocks(title: string, blocks: Block[]): Chunk[] {
  const chunks: Piece[] = []
  for (const piece of sectionsOf(blocks).flatMap(piecesOf)) {
    const last = chunks.at(-1)
    const both = last && joined(last, piece)
    if (both) chunks[chunks.length - 1] = both
    else chunks.push(piece)
  }
  return chunks.map(({ path, text }) => ({ heading: (path[0] === title ? path.slice(1) : path).join(PATH), text }))
}
