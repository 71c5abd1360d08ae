/** Called once by Next when a server process begins, under both entries; `next build` does not call it. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { bootNext } = await import('./lib/boot')
  await bootNext()
}
