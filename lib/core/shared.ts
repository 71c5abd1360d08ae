/**
 * A getter of one value per process under a name, created by the first call. The server and Next's bundles are separate copies of
 * our modules in one process, so what must exist once (the database, the limiter, the key cache) is kept here. The caller promises
 * to use a name with one type only.
 */
export function processWide<T>(name: string, create: () => T): () => T {
  const key = Symbol.for(`plumbline.${name}`)
  const store = globalThis as unknown as Record<symbol, T | undefined>
  let found: T | undefined
  return () => {
    if (found === undefined) {
      store[key] ??= create()
      found = store[key]
    }
    return found
  }
}
