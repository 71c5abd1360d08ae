import { FileProblem } from '../fault'

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
