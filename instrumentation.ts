/** Called once by Next when a server process begins, under both entries; `next build` does not call it. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { begun } = await import('./lib/core/begun')
  // Nothing of this copy is loaded where the bundle answers already.
  if (await begun().current) return
  if (process.env.VERCEL) {
    const { bootFunction } = await import('./lib/server/boot-function')
    const { after } = await import('next/server')
    // Vercel runs what this is given to its end before it freezes the function.
    return bootFunction(after)
  }
  const { compileEarly } = await import('./db/drivers/pglite-code')
  // Other threads compile while this one loads the rest.
  compileEarly()
  const [{ bootNext }, { failStart }] = await Promise.all([import('./lib/server/boot'), import('./lib/server/start')])
  // Next would say what failed, and then keep every request waiting.
  await bootNext().catch(failStart)
}
