// `node scripts/run.mjs <program> [arguments]`: runs one of our programs on a fresh clone too, which it installs and builds first; with the
// programs of `bench` also what they compare with.
import { spawnSync } from 'node:child_process'
import { provideDependencies, requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

const [program = '', ...args] = process.argv.slice(2)
requireNode()
requireDependencies()
if (program.startsWith('bench/')) await provideDependencies('bench')
requireBuild()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', program, ...args], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
