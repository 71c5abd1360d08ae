// `npm run fuzz [-- --runs 2000 --seed 7 --only list_invoices,create_lead]`: requests made from the API description, right and wrong
// ones, to a server of its own. `npm test` sends a few of the same to every operation.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
})
requireNode()
requireDependencies()
requireBuild()
console.log(`Seed ${values.seed}: npm run fuzz -- --seed ${values.seed} --runs ${values.runs} sends the same again.`)
const { status } = spawnSync(
  'npx',
  ['--no-install', 'playwright', 'test', 'e2e/fuzz.spec.ts', '--project=server-pglite', '--reporter=line'],
  {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, FUZZ_RUNS: values.runs, FUZZ_SEED: values.seed, FUZZ_ONLY: values.only },
  },
)
process.exit(status ?? 1)
