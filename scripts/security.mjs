// `npm run test:security`: lists what the service must withstand, each with the tests that show it and their results. `-- --tools`
// adds attacks by sqlmap and wapiti, where they are installed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { giveUp, provideDependencies, requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

requireNode()
requireDependencies()
await provideDependencies('e2e/clients')
requireBuild()
const { findPostgres, findRedis, requireBrowser } = await import('./services.mjs')
const { tsImport } = await import('tsx/esm/api')
const { LINES } = await tsImport('./security/lines.ts', import.meta.url)
const { count, fromPlaywright, fromVitest, judge, table } = await tsImport('./security/judge.ts', import.meta.url)

const CI = process.env.CI === 'true'
const [postgres, redis, browser] = [await findPostgres(), await findRedis(), requireBrowser()]
if (CI && !(postgres && redis))
  giveUp('A Postgres and a Redis are needed; in CI it is a failure that one is not there.')

const results = mkdtempSync(join(tmpdir(), 'plumbline-security-'))
const env = {
  ...process.env,
  ...(postgres ? { TEST_POSTGRES_URL: postgres } : {}),
  ...(redis ? { TEST_REDIS_URL: redis } : {}),
  ...(browser ? { CHROMIUM_PATH: browser } : {}),
  PLUMBLINE_WITHOUT_POSTGRES: postgres ? '' : '1',
  PLUMBLINE_WITHOUT_REDIS: redis ? '' : '1',
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, 'e2e.json'),
}
const run = (args, more = {}) =>
  spawnSync('npx', ['--no-install', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, ...more },
    shell: process.platform === 'win32',
  })
const read = (name) => JSON.parse(readFileSync(join(results, name), 'utf8'))

const files = [...new Set(LINES.flatMap(({ shownBy }) => shownBy.map(([file]) => file)))]
const ran = []
function runVitest(project, chosen) {
  if (chosen.length === 0) return
  const report = `--outputFile.json=${join(results, `${project}.json`)}`
  // With what stands apart from `npm test`.
  run(['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', report, ...chosen], {
    PLUMBLINE_TEST_ALL: '1',
  })
  ran.push(...fromVitest(read(`${project}.json`), project, root))
}
runVitest(
  'unit',
  files.filter((file) => !/^e2e\/|\.(db|redis)\.test\.ts$/.test(file)),
)
const overDatabases = files.filter((file) => file.endsWith('.db.test.ts'))
runVitest('pglite', overDatabases)
if (postgres) runVitest('pg', overDatabases)
run(['playwright', 'test', '--reporter=line,json', ...files.filter((file) => file.startsWith('e2e/'))])
ran.push(...fromPlaywright(read('e2e.json')))

const verdicts = judge(LINES, ran)
console.log(`\n${table(verdicts)}\n`)
const total = count(verdicts)

if (process.argv.includes('--tools')) {
  for (const tool of ['sqlmap', 'wapiti']) {
    if (spawnSync(tool, ['--version']).status !== 0) console.log(`NOT RUN: ${tool}, which is not installed.`)
  }
  const { status } = run(['playwright', 'test', '-c', 'e2e/attack-tools/playwright.config.ts'])
  total[status === 0 ? 'passed' : 'failed'] += 1
}
if (!postgres) console.log('NOT RUN: the same over Postgres, because none was found. Set TEST_POSTGRES_URL.')
rmSync(results, { recursive: true })
console.log(`${total.passed} lines hold, ${total.failed} do not`)
process.exit(total.failed === 0 ? 0 : 1)
