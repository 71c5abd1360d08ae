/**
 * Places that long work takes: at most so many for each subject, and in this process. The share of a subject is what keeps one tenant from
 * holding all of them.
 */
export class Places {
  private readonly taken = new Map<string, number>()
  private all = 0

  constructor(private readonly most: { ofSubject: number; ofProcess: number }) {}

  /** The number of places left in this process. */
  get left(): number {
    return this.most.ofProcess - this.all
  }

  /** The places that each subject has now. */
  get held(): ReadonlyMap<string, number> {
    return this.taken
  }

  /** Takes a place. @returns the function that gives it back, which counts once, or undefined when none is left */
  take(subject: string): (() => void) | undefined {
    const own = this.taken.get(subject) ?? 0
    if (own >= this.most.ofSubject || this.left <= 0) return undefined
    this.taken.set(subject, own + 1)
    this.all++
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.all--
      const left = (this.taken.get(subject) ?? 1) - 1
      if (left > 0) this.taken.set(subject, left)
      else this.taken.delete(subject)
    }
  }
}

/** Takes a place of each kind for its subject, or none. */
export function acquireAll(wanted: [places: Places, subject: string][]): (() => void) | undefined {
  const taken: (() => void)[] = []
  const giveBack = () => {
    for (const give of taken) give()
  }
  for (const [places, subject] of wanted) {
    const give = places.take(subject)
    if (!give) {
      giveBack()
      return undefined
    }
    taken.push(give)
  }
  return giveBack
}
