/** Called once by Next when a server process begins, under both entries; `next build` does not call it. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { begun } = await import('./lib/core/begun')
  // Nothing of this copy is loaded where the bundle answers already.
  if (await begun().current) return
  const { compileEarly } = await import('./db/drivers/pglite-code')
  // Other threads compile while this one loads the rest.
  compileEarly()
  // One import: Next builds each with a copy of all that it loads.
  const { bootNext, holdBy } = await import('./lib/server/boot')
  const { after } = await import('next/server')
  await bootNext()
  // Next runs this to its end before it stops, and Vercel before it freezes the function.
  holdBy(after, Boolean(process.env.VERCEL))
}
