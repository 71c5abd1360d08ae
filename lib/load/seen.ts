import { createHash } from 'node:crypto'

const FIRST_SLOTS = 16
/** Each is found by a byte of the hash and grows by itself: one table for all would hold the thread for seconds as it grows. */
const TABLES = 256

/** An open-addressing table of hashes, at most three quarters full. */
class HashTable {
  private size = 0
  private high = new Uint32Array(FIRST_SLOTS)
  private low = new Uint32Array(FIRST_SLOTS)
  /** 0 is a slot that is free. */
  private lines = new Uint32Array(FIRST_SLOTS)

  firstLine(high: number, low: number, line: number): number | undefined {
    const slot = this.slot(high, low)
    if (this.lines[slot]) return this.lines[slot]
    this.put(slot, high, low, line)
    this.size++
    if (this.size * 4 > this.lines.length * 3) this.grow()
    return undefined
  }

  /** The slot of a hash: its own, or the free one where it belongs. */
  private slot(high: number, low: number): number {
    const mask = this.lines.length - 1
    let slot = low & mask
    while (this.lines[slot] && !(this.high[slot] === high && this.low[slot] === low)) slot = (slot + 1) & mask
    return slot
  }

  private put(slot: number, high: number, low: number, line: number): void {
    this.high[slot] = high
    this.low[slot] = low
    this.lines[slot] = line
  }

  private grow(): void {
    const { high, low, lines } = this
    this.high = new Uint32Array(lines.length * 2)
    this.low = new Uint32Array(lines.length * 2)
    this.lines = new Uint32Array(lines.length * 2)
    for (const [i, line] of lines.entries()) {
      if (line) this.put(this.slot(high[i] ?? 0, low[i] ?? 0), high[i] ?? 0, low[i] ?? 0, line)
    }
  }
}

/**
 * Remembers on which line each reference of a file first stood, in 16 to 32 bytes a row whatever the reference's length, by 64 bits
 * of its SHA-256. Two references that share those bits by chance would be taken for one; in a file of ten million rows the odds of
 * a single such pair are about 1 in 370,000.
 */
export class SeenReferences {
  private readonly tables = Array.from({ length: TABLES }, () => new HashTable())

  /** The line on which the reference stood before; undefined, and remembered, when it is new. Lines begin at 1. */
  firstLine(reference: string, line: number): number | undefined {
    const digest = createHash('sha256').update(reference).digest()
    return this.tables[digest[8] ?? 0]?.firstLine(digest.readUInt32LE(0), digest.readUInt32LE(4), line)
  }
}
