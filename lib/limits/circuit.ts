/** How long the store is left alone after a failure, before it is tried again. */
const REST_MS = 5_000

/** The end of every wait: where it was this process that was busy, the answer lies there already and is read before this is over. */
const LAST_MS = 50

/**
 * Keeps an outage from costing more than one wait. The first call that fails or takes too long opens the circuit and releases all that
 * wait with it; while it is open nothing is called but a probe every few seconds, behind the back of requests, which closes it again.
 */
export class Circuit {
  private open = false
  private readonly waiting = new Set<() => void>()

  /**
   * @param probe what shows that calls work again; as fit to fail as they are
   * @param told is told why the circuit opened
   * @param patienceMs how long a call may take
   */
  constructor(
    private readonly probe: () => Promise<unknown>,
    private readonly told: (cause: unknown) => void,
    private readonly patienceMs: number,
  ) {}

  get isOpen(): boolean {
    return this.open
  }

  /** What a call answers; undefined when it fails, is too late, or the circuit opens meanwhile. Never rejects. */
  run<T>(call: () => Promise<T>): Promise<T | undefined> {
    return new Promise((done) => {
      const end = (result?: T) => {
        clearTimeout(timer)
        this.waiting.delete(release)
        done(result)
      }
      const release = () => end()
      const fail = (cause: unknown) => {
        // A call that was released before may fail long after; that says nothing new.
        if (this.waiting.has(release)) this.trip(cause)
      }
      const tooLate = () => fail(new Error(`no answer within ${this.patienceMs} ms`))
      let timer = setTimeout(() => {
        timer = setTimeout(tooLate, LAST_MS)
      }, this.patienceMs - LAST_MS)
      this.waiting.add(release)
      call().then(end, fail)
    })
  }

  private trip(cause: unknown): void {
    if (!this.open) {
      this.open = true
      this.told(cause)
      this.rest()
    }
    for (const release of this.waiting) release()
  }

  private rest(): void {
    setTimeout(() => void this.tryAgain(), REST_MS).unref()
  }

  private async tryAgain(): Promise<void> {
    let works = false
    await this.run(async () => {
      await this.probe()
      works = true
    })
    if (!works) return this.rest()
    this.open = false
  }
}
