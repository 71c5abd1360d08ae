// `npm run bench -- <name>`: installs what the measurements compare with, then runs one of them, or `all`.
import { spawnSync } from 'node:child_process'
import { provideDependencies, root } from './ready.mjs'

await provideDependencies('bench')
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
