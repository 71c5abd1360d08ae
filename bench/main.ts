import { BENCHES } from './benches'

/**
 * Runs `npm run bench -- <name>`: side-by-side measurements; ratios are what to quote, absolute figures are this machine's. `all` runs
 * every one.
 */
const [wanted = '', ...args] = process.argv.slice(2)
const load = wanted === 'all' ? () => import('./all') : BENCHES[wanted]?.load
if (!load) {
  console.error(`Name a measurement: all, ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
const { run } = await load()
await run(args)
process.exit()
