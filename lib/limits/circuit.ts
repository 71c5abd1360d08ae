/** The time to wait after a failure before the store is tried again. */
const REST_MS = 5_000

/** The last part of every timeout: if this process was busy, the answer has already arrived and is read within it. */
const LAST_MS = 50

/**
 * Keeps an outage from costing more than one timeout. The first call that fails or takes too long opens the circuit and releases
 * every waiting call; while it is open, only a probe calls the store, every few seconds and outside of requests, and closes the
 * circuit when it succeeds.
 */
export class Circuit {
  private open = false
  private readonly waiting = new Set<() => void>()

  /**
   * @param probe shows that calls work again; must be able to fail the way they do
   * @param onOpen gets the reason why the circuit opened
   * @param patienceMs how long a call may take
   */
  constructor(
    private readonly probe: () => Promise<unknown>,
    private readonly onOpen: (cause: unknown) => void,
    private readonly patienceMs: number,
  ) {}

  get isOpen(): boolean {
    return this.open
  }

  /** Resolves with the call's result, or undefined when it fails, is late, or the circuit opens first. Never rejects. */
  run<T>(call: () => Promise<T>): Promise<T | undefined> {
    return new Promise((done) => {
      const end = (result?: T) => {
        clearTimeout(timer)
        this.waiting.delete(release)
        done(result)
      }
      const release = () => end()
      const fail = (cause: unknown) => {
        // A released call may fail much later; that is no new information.
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
      this.onOpen(cause)
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
