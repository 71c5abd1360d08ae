// `npm run soak`: an hour of mixed work (data API, leads, MCP, pages) on a real server. Prints the server's resource use as a table
// and draws a chart. `-- --minutes 5` shortens it, `--entry next` and `--driver pg` (TEST_POSTGRES_URL) choose what runs, `--rate
// 2` doubles the pace.
import { spawnSync } from 'node:child_process'
import { requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

requireNode()
requireDependencies()
requireBuild()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/soak/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
