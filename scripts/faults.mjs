// `npm run test:faults`: measures what the service promises when something fails (docs/faults.md). Takes minutes, on a machine that
// does nothing else.
import { spawnSync } from 'node:child_process'
import { giveUp, requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

requireNode()
requireDependencies()
requireBuild()
const { canMountDisk, findPgBouncer, findPostgres, findPostgresPrograms, findRedis } = await import('./services.mjs')

const CI = process.env.CI === 'true'
const found = {
  postgres: await findPostgres(),
  programs: findPostgresPrograms(),
  redis: await findRedis(),
  pooler: findPgBouncer(),
  disk: canMountDisk(),
}
const missing = [
  found.postgres ? '' : 'a Postgres in which databases may be made (TEST_POSTGRES_URL)',
  found.programs ? '' : 'the programs of a Postgres, to start one that may be killed (TEST_POSTGRES_BIN, a folder)',
  found.redis ? '' : 'a Redis that tests may use (TEST_REDIS_URL)',
  found.pooler ? '' : 'a PgBouncer of 1.21 or later (TEST_PGBOUNCER, a program)',
  found.disk ? '' : 'a small disk that may be filled (mounting one takes root, on Linux)',
].filter((what) => what !== '')
if (CI && missing.length > 0) giveUp(`Not found, which in CI is a failure: ${missing.join('; ')}.`)

// Selects a row by its number. `faults/` keeps numbers in the path of this folder from matching.
const wanted = process.argv.slice(2).map((row) => (/^\d{1,2}$/.test(row) ? `faults/${row.padStart(2, '0')}-` : row))
const { status } = spawnSync(
  'npx',
  ['--no-install', 'playwright', 'test', '-c', 'e2e/faults/playwright.config.ts', ...wanted],
  {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      ...(found.postgres ? { TEST_POSTGRES_URL: found.postgres } : {}),
      ...(found.redis ? { TEST_REDIS_URL: found.redis } : {}),
      TEST_POSTGRES_BIN: found.programs ?? '',
      TEST_PGBOUNCER: found.pooler ?? '',
      PLUMBLINE_WITHOUT_POSTGRES: found.postgres ? '' : '1',
      PLUMBLINE_WITHOUT_REDIS: found.redis ? '' : '1',
      PLUMBLINE_WITHOUT_SMALL_DISK: found.disk ? '' : '1',
    },
  },
)
for (const what of missing) console.log(`\nNOT RUN: what needs ${what}.`)
process.exit(status ?? 1)
