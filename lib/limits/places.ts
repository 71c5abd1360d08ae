/** Places that long requests take: at most so many for each subject, and in this process. */
export class Places {
  private readonly taken = new Map<string, number>()
  private all = 0

  constructor(private readonly most: { ofSubject: number; ofProcess: number }) {}

  /** Takes a place. @returns the function that gives it back, which counts once, or undefined when none is left */
  take(subject: string): (() => void) | undefined {
    const own = this.taken.get(subject) ?? 0
    if (own >= this.most.ofSubject || this.all >= this.most.ofProcess) return undefined
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
