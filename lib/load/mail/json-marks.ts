const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const MARKS = new Set([...'{[,:'].map((mark) => mark.charCodeAt(0)))

/**
 * Counts the marks of a JSON text outside of its strings as its bytes arrive: how long parsing takes depends on them far more than on the
 * text's length. Ten megabytes of one string take 10 ms; of small objects, a second.
 */
export class JsonMarks {
  count = 0
  private inString = false
  private isEscaped = false

  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) at = this.inString ? this.endOfString(chunk, at) : this.mark(chunk, at)
  }

  private mark(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0
    if (byte === QUOTE) this.inString = true
    else if (MARKS.has(byte)) this.count++
    return at
  }

  /** Skips to the quote that ends the string, or to the end of the chunk. */
  private endOfString(chunk: Uint8Array, from: number): number {
    let at = from
    if (this.isEscaped) {
      this.isEscaped = false
      at++
    }
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === BACKSLASH) {
        if (at + 1 === chunk.length) this.isEscaped = true
        at++
      } else if (byte === QUOTE) {
        this.inString = false
        return at
      }
    }
    return at
  }
}
