import type { Build } from './lib/server/serve'

/** Runs once, when Next begins a server process; `next build` does not call it. The one-machine server has begun by then. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  if (process.env.VERCEL) {
    const [{ bootFunction }, { failStart }] = await Promise.all([
      import('./lib/server/boot-function'),
      import('./lib/server/start'),
    ])
    const { after } = await import('next/server')
    // Vercel runs what this is given to its end before it freezes the function.
    return bootFunction(after).catch(failStart)
  }
  await compileEarly()
  const [{ bootNext }, { failStart }] = await Promise.all([import('./lib/server/boot'), import('./lib/server/start')])
  // Next would say what failed, and then keep every request waiting.
  await bootNext().catch(failStart)
}

/** Compiles the embedded database in other threads while this one loads the rest. */
async function compileEarly(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const pglite = await import('./db/drivers/pglite-code')
  pglite.compileEarly()
}

/** Runs the one-machine server over the route files of this build: what `server.mjs` calls. */
export async function serve(build: Build): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  await compileEarly()
  const { start } = await import('./lib/server/serve')
  start(build)
}

/** Runs the command line: what `bin/plumbline.mjs` calls. */
export async function command(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { main } = await import('./lib/cli/main')
  await main()
}
