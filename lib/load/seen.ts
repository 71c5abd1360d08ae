import { createHash } from 'node:crypto'

const FIRST_SLOTS = 16
/** A byte of the hash selects a table, and each grows by itself: one large table would block the thread for seconds as it grows. */
const TABLES = 256

/** An open-addressing table of hashes, at most three quarters full. */
class HashTable {
  private size = 0
  private high = new Uint32Array(FIRST_SLOTS)
  private low = new Uint32Array(FIRST_SLOTS)
  /** A 0 marks a free slot. */
  private lines = new Uint32Array(FIRST_SLOTS)

  firstLine(high: number, low: number, line: number): number | undefined {
    const slot = this.slot(high, low)
    if (this.lines[slot]) return this.lines[slot]
    this.put(slot, high, low, line)
    this.size++
    if (this.size * 4 > this.lines.length * 3) this.grow()
    return undefined
  }

  lineOf(high: number, low: number): number {
    return this.lines[this.slot(high, low)] ?? 0
  }

  /** Returns the slot that holds a hash, or the free one where it belongs. */
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
 * Remembers the line on which each reference of a file first appeared. It keeps 64 bits of the reference's SHA-256, which takes 16 to
 * 32 bytes per row whatever the reference's length. Two references that share those bits would count as one; in a file of ten million
 * rows the odds of such a pair are about 1 in 370,000.
 */
export class SeenReferences {
  private readonly tables = Array.from({ length: TABLES }, () => new HashTable())

  /** Returns the line on which a reference first appeared; undefined when it is new, and then remembers it. Lines begin at 1. */
  firstLine(reference: string, line: number): number | undefined {
    const digest = createHash('sha256').update(reference).digest()
    return this.tables[digest[8] ?? 0]?.firstLine(digest.readUInt32LE(0), digest.readUInt32LE(4), line)
  }

  /** Reports whether a reference appeared. Two that share their bits count as one, so one that did appear is never taken for missing. */
  has(reference: string): boolean {
    return this.lineOf(reference) !== undefined
  }

  /** The line on which a reference first appeared, or undefined. */
  lineOf(reference: string): number | undefined {
    const digest = createHash('sha256').update(reference).digest()
    return this.tables[digest[8] ?? 0]?.lineOf(digest.readUInt32LE(0), digest.readUInt32LE(4)) || undefined
  }
}
