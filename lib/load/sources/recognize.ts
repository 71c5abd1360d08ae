import { plain } from '../columns'
import { readBy } from './headers'
import type { SourceFile } from './mapping'
import { SOURCE_FILES } from './registry'

/**
 * The file that a header was recognized as. `confidence` is 1 when every column that such a file always has is there and nothing else fits
 * as well, otherwise less; `others` fit as well.
 */
export type Recognized = { source: string; file: string; confidence: number; mapping: SourceFile; others: SourceFile[] }

/** Reports whether a header has every column that a kind of file always has. */
const fits = ({ header }: SourceFile, names: ReadonlySet<string>) => header.every((name) => names.has(plain(name)))

/**
 * Recognizes a vendor's file by the names of its columns, in any order, without case, spaces and punctuation. Of several that fit, the one
 * that knows the most of the columns counts.
 */
export function recognize(header: string[]): Recognized | undefined {
  const names = new Set(header.map(plain))
  const rated = SOURCE_FILES.filter((file) => fits(file, names)).map((file) => {
    const known = new Set([...file.header.map(plain), ...readBy(file)])
    return { file, score: [...known].filter((name) => names.has(name)).length }
  })
  const best = Math.max(0, ...rated.map(({ score }) => score))
  const [found, ...rest] = rated.filter(({ score }) => score === best).map(({ file }) => file)
  if (!found) return undefined
  const others = rest.filter(({ source, file }) => source !== found.source || file !== found.file)
  return { source: found.source, file: found.file, confidence: 1 / (1 + others.length), mapping: found, others }
}
