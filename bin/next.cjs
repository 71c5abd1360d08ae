// What `next start` loads from next.config.ts: the service as `npm run build` bundled it.

/** Begins the service; returns whether it is up. Without a current bundle Next's own copy has to. */
exports.begin = async () => {
  const { importBuilt, whyNot } = await import('./built.mjs')
  if (whyNot('server') !== undefined) return false
  const { booted } = await importBuilt('next')
  await booted
  return true
}
