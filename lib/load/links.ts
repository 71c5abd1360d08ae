import { createHash } from 'node:crypto'
import { SeenReferences } from './seen'

const PIECE = 4_096

/** Returns 64 bits of an id's SHA-256. */
export const keyOf = (id: string): bigint => createHash('sha256').update(id).digest().readBigUInt64LE(0)

/**
 * Remembers the record that each reference belongs to, both by 64 bits: 24 to 40 bytes each, whatever their length. The odds that two are
 * taken for one are those of {@link SeenReferences}.
 */
export class Links {
  private readonly places = new SeenReferences()
  private readonly pieces: BigUint64Array[] = []
  private count = 0

  set(reference: string, id: string): void {
    const known = this.places.firstLine(reference, this.count + 1)
    const place = (known ?? ++this.count) - 1
    const at = Math.floor(place / PIECE)
    const piece = this.pieces[at] ?? new BigUint64Array(PIECE)
    this.pieces[at] = piece
    piece[place % PIECE] = keyOf(id)
  }

  get(reference: string): bigint | undefined {
    const place = this.places.lineOf(reference)
    return place === undefined ? undefined : this.pieces[Math.floor((place - 1) / PIECE)]?.[(place - 1) % PIECE]
  }
}
