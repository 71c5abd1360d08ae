/** The result of counting a request against its limit. `resetAt` is epoch milliseconds; `retryAfterMs` is 0 when allowed. */
export type Verdict = { allowed: boolean; limit: number; remaining: number; resetAt: number; retryAfterMs: number }

/** A log's answer for one request: whether it is allowed, how many are left, and in how many ms one more is free, or as many as were refused. */
export type LogAnswer = { allowed: boolean; remaining: number; freeInMs: number }

/**
 * The times of a subject's allowed requests: a ring that grows up to the limit. Exact: no span of the window's length, wherever it
 * begins, has more than `limit` allowed requests. Refused requests are not counted, so a client that keeps trying is let in as soon
 * as a place is free.
 */
export class SlidingWindow {
  /** A plain array, because a typed one costs 260 bytes before its first number, and there is one for each subject. */
  private ring = [0, 0, 0, 0]
  private oldest = 0
  private size = 0

  /**
   * @param now milliseconds of a monotonic clock
   * @param cost how many places the request takes: all of them or none
   */
  take(now: number, limit: number, windowMs: number, cost = 1): LogAnswer {
    while (this.size > 0 && this.at(0) <= now - windowMs) {
      this.oldest = (this.oldest + 1) % this.ring.length
      this.size--
    }
    const allowed = this.size + cost <= limit
    if (allowed) for (let i = 0; i < cost; i++) this.push(now)
    // More than the oldest must expire for a request of many places, or where the limit was lowered below what the log holds.
    const over = Math.max(0, this.size - limit + (allowed ? 0 : cost - 1))
    return { allowed, remaining: Math.max(0, limit - this.size), freeInMs: this.at(over) + windowMs - now }
  }

  private at(index: number): number {
    return this.ring[(this.oldest + index) % this.ring.length] ?? 0
  }

  private push(now: number): void {
    if (this.size === this.ring.length) {
      const times = this.ring.map((_, i) => this.at(i))
      this.ring = [...times, ...times]
      this.oldest = 0
    }
    this.ring[(this.oldest + this.size) % this.ring.length] = now
    this.size++
  }
}
