import { shared } from '@/lib/core/shared'

/** The limits of pages sharing a process with the API. */
export const RENDERING = {
  /** Pages rendered at once; only one while API requests arrive. */
  atOnce: 4,
  /** Slots that forms may use: a sign-in waits for its password to be hashed, and pages should not wait for that. */
  formsAtOnce: 2,
  /** Pages waiting, in total and from one address. */
  maxWaiting: 128,
  maxWaitingPerAddress: 32,
  /** The maximum wait of a page. */
  maxWaitMs: 10_000,
  /** A page that takes longer is not waiting for the processor, and gives up its slot. */
  maxHoldMs: 2_000,
  /** The pause in rendering after each page while API requests arrive, as a multiple of the time the page took, up to a maximum. */
  rest: 3,
  maxRestMs: 300,
  /** The time after its last request for which the API counts as busy. */
  apiMs: 500,
} as const

type Waiting = { subject: string; isForm: boolean; go: () => void; tooLate: NodeJS.Timeout }

/** Decides when pages are rendered: a few at once, or one after the other with pauses while API requests arrive. */
export class RenderGate {
  private readonly queue: Waiting[] = []
  private making = 0
  private makingForms = 0
  private apiAt = Number.NEGATIVE_INFINITY
  private restUntil = 0
  private last = { subject: '', isForm: false }
  private wake: NodeJS.Timeout | undefined

  /** Notes an API request: the API goes first for a moment. */
  noteApiRequest(): void {
    this.apiAt = performance.now()
  }

  /**
   * Calls `make` when it is a page's turn, with a function to call once it is rendered, or `refuse` when it would wait too long.
   * @param isForm whether the page answers a form
   * @returns a function to call when nobody waits for the page anymore
   */
  enter(subject: string, make: (made: () => void) => void, refuse: () => void, isForm = false): () => void {
    const fromHere = this.queue.filter((waiting) => waiting.subject === subject).length
    if (this.queue.length >= RENDERING.maxWaiting || fromHere >= RENDERING.maxWaitingPerAddress) {
      refuse()
      return () => {}
    }
    const leave = () => {
      const at = this.queue.indexOf(waiting)
      if (at >= 0) this.queue.splice(at, 1)
      clearTimeout(waiting.tooLate)
      return at >= 0
    }
    const waiting: Waiting = {
      subject,
      isForm,
      go: () => this.make(make, isForm),
      tooLate: setTimeout(() => leave() && refuse(), RENDERING.maxWaitMs),
    }
    this.queue.push(waiting)
    this.next()
    return () => void leave()
  }

  private get apiIsAsked(): boolean {
    return performance.now() - this.apiAt < RENDERING.apiMs
  }

  private next(): void {
    if (this.queue.length === 0 || this.making >= (this.apiIsAsked ? 1 : RENDERING.atOnce)) return
    const rest = this.apiIsAsked ? this.restUntil - performance.now() : 0
    if (rest > 0) {
      this.wake ??= setTimeout(() => {
        this.wake = undefined
        this.next()
      }, rest)
      return
    }
    const chosen = this.choose()
    if (!chosen) return
    this.queue.splice(this.queue.indexOf(chosen), 1)
    clearTimeout(chosen.tooLate)
    this.last = chosen
    chosen.go()
    this.next()
  }

  /** Addresses take turns, so that a flood from one address only delays itself; forms and pages take turns too. */
  private choose(): Waiting | undefined {
    const able = this.queue.filter(({ isForm }) => !isForm || this.makingForms < RENDERING.formsAtOnce)
    const pages = this.last.isForm ? able.filter(({ isForm }) => !isForm) : []
    const turn = pages.length > 0 ? pages : able
    return turn.find(({ subject }) => subject !== this.last.subject) ?? turn[0]
  }

  private make(make: (made: () => void) => void, isForm: boolean): void {
    this.making++
    if (isForm) this.makingForms++
    const began = performance.now()
    const made = () => {
      if (!isMaking) return
      isMaking = false
      clearTimeout(tooLong)
      this.making--
      if (isForm) this.makingForms--
      const now = performance.now()
      this.restUntil = now + Math.min(RENDERING.maxRestMs, (now - began) * RENDERING.rest)
      this.next()
    }
    let isMaking = true
    const tooLong = setTimeout(made, RENDERING.maxHoldMs)
    make(made)
  }
}

/** The gate of this process. */
export const renderGate = shared<RenderGate>('renderGate', () => new RenderGate())
