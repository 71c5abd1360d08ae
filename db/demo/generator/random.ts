/** A seeded random number generator (mulberry32). The same seed gives the same data on every machine. */
export class Random {
  constructor(private state: number) {}

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`, both inclusive. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.int(0, from.length - 1)] ?? from[0]
  }

  /** Picks one of several values by weight. */
  weighted<T>(from: readonly [readonly [T, number], ...(readonly [T, number])[]]): T {
    let rest = this.next() * from.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of from) {
      rest -= weight
      if (rest < 0) return value
    }
    return from[0][0]
  }
}
