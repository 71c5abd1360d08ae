import type { Chunk } from './document'
import type { Block } from './readers/blocks'

/** Sizes of a chunk in words: no more than `most`; about `target` where a section is cut; short neighbors join up to `together`. */
export const CHUNK = { most: 350, target: 300, together: 250 }

/** Twelve characters count as a word at least: code, tables and languages without blanks would have chunks of any length. */
const CHARACTERS_PER_WORD = 12
/** Longer headings are paragraphs that were set large. */
const LONGEST_HEADING = 150
const PATH = ' › '

/** How much of a chunk a text takes, in words. */
export const weightOf = (text: string): number =>
  Math.max(text.match(/\S+/g)?.length ?? 0, Math.ceil((text.length + 2) / CHARACTERS_PER_WORD))

/** What is never cut, and what stands before it when it follows another. */
type Atom = { text: string; before: string }

/** Between a sentence's end (with the quotes and brackets that close there) and the next. `Intl.Segmenter` takes minutes for a book. */
const BETWEEN_SENTENCES = /(?<=[.!?…]["'”’)\]]{0,3})\s+/

function cutWord(word: string): string[] {
  const characters = [...word]
  const size = CHUNK.target * 5
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(''),
  )
}

/** A text that fits a chunk as it is; else its words, and of a word that does not fit its parts. */
const fitting = (text: string, before: string): Atom[] =>
  weightOf(text) <= CHUNK.most
    ? [{ text, before }]
    : (text.match(/\S+/g) ?? []).flatMap((word, i) =>
        cutWord(word).map((part, j) => ({ text: part, before: i + j === 0 ? before : j === 0 ? ' ' : '' })),
      )

/** A block whole where it fits, else by its sentences or lines. */
function atomsOf({ kind, text }: Block): Atom[] {
  if (weightOf(text) <= CHUNK.most) return [{ text, before: '\n\n' }]
  const isProse = kind !== 'lines'
  const parts = isProse ? text.split(BETWEEN_SENTENCES) : text.split('\n')
  return parts
    .filter((part) => part.trim() !== '')
    .flatMap((part, i) => fitting(part, i === 0 ? '\n\n' : isProse ? ' ' : '\n'))
}

type Section = { path: string[]; blocks: Block[] }
/** `isWhole` when no part of a section stands elsewhere. */
type Piece = { path: string[]; text: string; isWhole: boolean }

/** The blocks under each heading. A heading with nothing under it, not even another, stands as text so that it is found. */
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

/** Cuts a section into pieces of about the same size. */
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

/** A piece's text under those of its headings that the joined chunk does not have. */
const below = ({ path, text }: Piece, common: string[]) =>
  path.length === common.length ? text : `${path.slice(common.length).join(PATH)}\n${text}`

/** Short sections as one; undefined when they would be too long. */
function joined(a: Piece, b: Piece): Piece | undefined {
  if (!a.isWhole || !b.isWhole) return undefined
  const path = commonPath(a.path, b.path)
  const text = `${below(a, path)}\n\n${below(b, path)}`
  return weightOf(text) <= CHUNK.together ? { path, text, isWhole: true } : undefined
}

/**
 * Cuts a document into chunks of at most {@link CHUNK}.most words: by headings, then paragraphs, then sentences; code and tables
 * stay whole where they fit. Short sections that follow each other share a chunk, their own headings in its text. All text is in
 * some chunk, its heading, or the title, in the document's order; the same blocks make the same chunks.
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
