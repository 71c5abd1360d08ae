/** Returns a function that makes a value with its first call and then returns the same one. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Returns a function that loads something with its first call; what could not be loaded is tried once more by the next. Of a module
 * whose file could not be read, Node 20 itself keeps the failure; later versions read it again.
 */
export function later<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((fault) => {
      loaded = undefined
      throw fault
    })
    return loaded
  }
}

/**
 * Returns what work comes to, or what `late` gives when that takes longer. The work goes on; nobody waits for it.
 * @param late may throw instead
 */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => T): Promise<T> {
  const time = AbortSignal.timeout(Math.ceil(milliseconds))
  const tooLate = new Promise<void>((done) => {
    time.addEventListener('abort', () => done(), { once: true })
  })
  return Promise.race([work, tooLate.then(late)])
}
