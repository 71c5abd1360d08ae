import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { shared } from '../../lib/core/shared'

const path = join(/* turbopackIgnore: true */ process.cwd(), 'node_modules/@electric-sql/pglite/dist/pglite.wasm')

const holder = shared<{ current?: Promise<WebAssembly.Module | undefined> }>('embeddedCode', () => ({}))

/** Reads the code at once: in parts it would take a turn of the event loop for each, and those are taken while a program is loaded. */
async function compile(): Promise<WebAssembly.Module | undefined> {
  return existsSync(path) ? WebAssembly.compile(readFileSync(path)) : undefined
}

/**
 * The code of the embedded database, read and checked by another thread while this one goes on; undefined where its file is not in the
 * project's folder, and PGlite finds it by itself. One thread at a time compiles its functions: with V8's default of one for each core,
 * they take the cores from the program that starts.
 */
export function embeddedCode(): Promise<WebAssembly.Module | undefined> {
  const kept = holder()
  if (kept.current) return kept.current
  setFlagsFromString('--wasm-num-compilation-tasks=1')
  kept.current = compile().catch((error) => {
    // A failure is not kept: whoever opens the database next tries again.
    delete kept.current
    throw error
  })
  return kept.current
}

/** Begins to compile where no Postgres is configured. Asked before the settings are read, so it only guesses by their names. */
export function compileEarly(): void {
  if (process.env.DATABASE_URL || process.env.POSTGRES_URL) return
  // Whoever opens the database hears of a failure.
  embeddedCode().catch(() => {})
}
