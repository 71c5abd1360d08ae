/** Called once by Next when a server process begins, under both entries; `next build` does not call it. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { compileEarly } = await import('./db/drivers/pglite-code')
  // Other threads compile while this one loads the rest.
  compileEarly()
  const { bootNext } = await import('./lib/server/boot')
  const { setHold } = await import('./lib/telemetry/request-log')
  const { holdForWebhooks } = await import('./lib/sync/webhooks/run')
  const { holdForConnectors } = await import('./lib/connectors/due')
  const { holdForLoads } = await import('./lib/load/hold')
  const { after } = await import('next/server')
  await bootNext()
  // Next runs this to its end before it stops, and Vercel before it freezes the function.
  setHold(after)
  // A load whose answer was sent goes on.
  if (process.env.VERCEL) holdForLoads(after)
  // Where no timer runs, a write is followed by its webhooks.
  if (process.env.VERCEL) holdForWebhooks(after)
  if (process.env.VERCEL) holdForConnectors(after)
}
