import { RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'
import { plain } from '../columns'
import { DOCUMENT_TYPES, type DocumentType, documentOf, RECORDS_OF } from '../documents'
import { FileProblem } from '../fault'
import { answerTo, wordKey } from '../questions'
import type { Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import type { Notation } from '../values'

/** The most rows that stand apart from the first line of their document, for the memory. */
const MOST = 200_000

/** The lines of documents whose rows do not stand together: each is added to the first line of its document. */
export class LinesApart {
  private readonly rows = new Map<string, { first: number; later: Map<number, string[]> }>()
  private kept = 0

  private static key = (key: string, kind: string) => JSON.stringify([key, kind])

  /** Notes where a document's rows begin again. @throws FileProblem when there are too many */
  note(key: string, kind: string, first: number, line: number, cells: string[]): void {
    const id = LinesApart.key(key, kind)
    const known = this.rows.get(id) ?? { first, later: new Map<number, string[]>() }
    known.later.set(line, cells)
    this.rows.set(id, known)
    if (++this.kept > MOST)
      throw new FileProblem(
        `More than ${MOST.toLocaleString('en-US')} lines stand apart from their document. Sort the file by the document's number, and load it again.`,
      )
  }

  /** Reports whether a line belongs to a document that began before. */
  isLater = (key: string, kind: string, line: number): boolean =>
    this.rows.get(LinesApart.key(key, kind))?.later.has(line) === true

  /** Returns the rows of a document that stand elsewhere. */
  elsewhere = (key: string, kind: string): Iterable<string[]> =>
    this.rows.get(LinesApart.key(key, kind))?.later.values() ?? []

  get size(): number {
    return this.rows.size
  }
}

/** What a person answered for words that nobody knows, by {@link wordKey}. */
export type Words = Readonly<Record<string, string>>

/** Returns the document that the word of a row's type means: by an answer, by its source, or by all sources; undefined when nobody knows it. */
export function typeOf({ source, types }: Mapping, word: string, answers: Words): DocumentType | undefined {
  const key = plain(word)
  const answer = answerTo(answers, wordKey(source, types?.column ?? '', word))
  const answered = answer === 'ignore' ? 'none' : DOCUMENT_TYPES.find((type) => type === answer)
  if (answered) return answered
  const own = DOCUMENT_TYPES.find((type) => types?.words?.[type]?.some((each) => plain(each) === key))
  return own ?? documentOf(word)
}

/** The resources that a file has records of, beside those that it only mentions. */
export function ownOf({ fills, mentions = [], types }: Mapping): Set<string> {
  const filled = Object.keys(fills).filter((name) => !mentions.some((mentioned) => mentioned === name))
  const typed = DOCUMENT_TYPES.filter((type) => types?.words?.[type]).flatMap((type) => RECORDS_OF[type])
  return new Set([...filled, ...typed.filter((name) => fills[name] !== undefined)])
}

/** Returns the resources that a row has records of. @param own those of its file */
export function ownersOf(
  mapping: Mapping,
  own: ReadonlySet<string>,
  { type }: { type: DocumentType | undefined },
): readonly ResourceName[] {
  const all: readonly ResourceName[] = mapping.types ? (type ? RECORDS_OF[type] : []) : resourcesIn(own)
  return all.filter((name) => own.has(name))
}

const resourcesIn = (own: ReadonlySet<string>) => RESOURCE_NAMES.filter((name) => own.has(name))

/** A file that was recognized or mapped, and what the whole of it shows. */
export type JoinedFile = {
  mapping: Mapping
  table: Table
  notation: Notation
  /** What a person answered for its words. */
  words?: Words
  /** Rows of documents that stand apart. */
  apart?: LinesApart
  /** What tells customers of one name apart, by that name. */
  namesakes?: ReadonlyMap<string, readonly string[]>
}
