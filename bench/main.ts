/** `npm run bench -- <name>`: side-by-side measurements; ratios are what to quote, absolute figures are this machine's. */
const BENCHES: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  'data-api': () => import('./data-api'),
  export: () => import('./export'),
  feed: () => import('./feed'),
  find: () => import('./find'),
  'first-sync': () => import('./first-sync'),
  leads: () => import('./leads'),
  limits: () => import('./limits'),
  load: () => import('./loading'),
  observability: () => import('./observability'),
  mcp: () => import('./mcp'),
  pages: () => import('./pages'),
  portal: () => import('./portal'),
  retrieval: () => import('./retrieval'),
  'request-log': () => import('./request-log'),
  scale: () => import('./scale'),
  start: () => import('./start'),
}

const [wanted = '', ...args] = process.argv.slice(2)
const load = BENCHES[wanted]
if (!load) {
  console.error(`Name a measurement: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
const { run } = await load()
await run(args)
process.exit(0)

export {}
