const KEY: unique symbol = Symbol.for('plumbline.shared')

/** The global object, typed for a plain read: `Reflect.get` takes ten times as long, and a request asks some thirty times. */
const world: typeof globalThis & { [KEY]?: Map<string, unknown> } = globalThis

/** Returns what this process has once, by name. */
function kept(): Map<string, unknown> {
  world[KEY] ??= new Map()
  return world[KEY]
}

/**
 * Returns a getter of something that exists once per process, such as a cache or a queue. Pages are compiled apart from the API and have copies of
 * our modules, so a variable of a module would exist twice. It is made at its first use: the build opens nothing, and a command only what it needs.
 * @param name of its own among all; its type is what its owner makes
 */
export function shared<T>(name: string, make: () => T): () => T {
  let found: { in: object; value: T } | undefined
  return () => {
    const all = kept()
    if (found?.in === all) return found.value
    if (!all.has(name)) all.set(name, make())
    // Only its owner writes under a name; a test holds names to one owner each.
    found = { in: all, value: all.get(name) as T }
    return found.value
  }
}

/** Returns a getter of what follows from the settings: made at its first use, by each copy of a module alike. */
export function derived<T>(make: () => T): () => T {
  let made: { of: object; value: T } | undefined
  return () => {
    const of = kept()
    if (made?.of !== of) made = { of, value: make() }
    return made.value
  }
}
