// `npm test`: runs from a fresh clone: lint, types, unit tests, integration tests for each driver, end-to-end tests.
// With `--all` (`npm run test:all`) also what is too slow for that: other people's clients and validators, tests that wait for minutes, newer
// releases of Node, and every measurement in its short form.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { giveUp, provideDependencies, requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

const ALL = process.argv.includes('--all')

requireNode()
requireDependencies()
const { findPostgres, findRedis, providePooler, providePython, requireBrowser } = await import('./services.mjs')

const CI = process.env.CI === 'true'
const browser = requireBrowser()
providePython()
providePooler()
const postgres = await findPostgres()
if (!postgres && CI)
  giveUp('No Postgres was found and none could be started; in CI that is a failure. Set TEST_POSTGRES_URL.')
const redis = await findRedis()
if (!redis && CI) giveUp('No Redis was found and none could be started; in CI that is a failure. Set TEST_REDIS_URL.')

// Kept after the run: they name each test's duration.
const results = join(root, 'artifacts')
mkdirSync(results, { recursive: true })
const env = {
  ...process.env,
  ...(postgres ? { TEST_POSTGRES_URL: postgres } : {}),
  ...(redis ? { TEST_REDIS_URL: redis } : {}),
  ...(browser ? { CHROMIUM_PATH: browser } : {}),
  PLUMBLINE_WITHOUT_POSTGRES: postgres ? '' : '1',
  PLUMBLINE_WITHOUT_REDIS: redis ? '' : '1',
  PLUMBLINE_TEST_ALL: ALL ? '1' : '',
}
const total = { passed: 0, failed: 0 }
/** The seconds that each step took, by its title. */
const took = new Map()
const { tsImport } = await import('tsx/esm/api')
const { LINES } = await tsImport('./security/lines.ts', import.meta.url)
const { count, failures, fromPlaywright, fromVitest, judge, table } = await tsImport(
  './security/judge.ts',
  import.meta.url,
)
/** The tests that ran, for the security table. */
const ran = []

function step(title, args, count, program = ['npx', '--no-install']) {
  console.log(`\n— ${title}`)
  const [command, ...first] = program
  const began = performance.now()
  const { status } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  })
  took.set(title, (took.get(title) ?? 0) + (performance.now() - began) / 1000)
  const { passed, failed } = count?.() ?? { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }
  total.passed += passed
  // A runner that exits with an error but no failed test (a crash, an error in a hook) also counts as a failure.
  total.failed += failed || (status === 0 ? 0 : 1)
}

/** Begins a step that uses one core, beside those that follow. Returns what waits for its end, shows its output and counts it. */
function begin(title, args) {
  const output = join(results, `${title}.txt`)
  const file = openSync(output, 'w')
  const child = spawn('npx', ['--no-install', ...args], {
    cwd: root,
    stdio: ['ignore', file, file],
    env,
    shell: process.platform === 'win32',
  })
  closeSync(file)
  const ended = once(child, 'close')
  return async () => {
    const [status] = await ended
    console.log(`\n— ${title}\n${readFileSync(output, 'utf8')}`)
    total[status === 0 ? 'passed' : 'failed']++
  }
}

const read = (name) => JSON.parse(readFileSync(join(results, name), 'utf8'))
function vitest(...names) {
  const name = names.join('-')
  const args = [
    'vitest',
    'run',
    ...names.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(results, `${name}.json`)}`,
  ]
  rmSync(join(results, `${name}.json`), { force: true })
  const count = () => {
    const report = read(`${name}.json`)
    ran.push(...fromVitest(report, names.join(', '), root))
    return { passed: report.numPassedTests, failed: report.numFailedTests }
  }
  return [args, count]
}

step('lint', ['biome', 'check', '--error-on-warnings', '.'])
// Mostly waits for the registry and the disk: the build goes on beside it. Lint has been there before, as it stumbles over folders that come and go.
const beside = Promise.all((ALL ? ['bench', 'e2e/judges', 'e2e/clients', 'e2e/platform'] : []).map(provideDependencies))
// Some of the steps below start the server as in production. The build writes the types of the routes, and need not check any: the step after it
// does.
process.env.PLUMBLINE_TYPES_CHECKED = '1'
const began = performance.now()
requireBuild()
await beside
took.set('build, installations beside it', (performance.now() - began) / 1000)
const types = begin('types', ['tsc', '--noEmit', '--incremental', 'false'])
/** Runs tests on the Node that started this; with `--all` on a later release, from npm's `node` package. */
function vitestOn(title, later, projects, ...more) {
  const [[, ...args], count] = vitest(...projects)
  const node = ALL ? join(root, 'e2e/clients/node_modules', later, 'bin/node') : process.execPath
  step(title, [...args, ...more], count, [node, join(root, 'node_modules/vitest/vitest.mjs')])
}
const embedded = ['unit', 'pglite']
const services = [...(postgres ? ['pg', 'vercel'] : []), ...(redis ? ['redis'] : [])]
// They wait for databases and clocks much of their time, so two cores take four.
const workers = `--maxWorkers=${availableParallelism() + 2}`
// Several kinds in one run: each module is transformed once, and no core waits for the last file of each kind.
if (ALL) {
  vitestOn('unit; integration over PGlite', 'node-22', embedded, workers)
  if (services.length > 0) vitestOn('integration over Postgres, @vercel/postgres and Redis', 'node', services, workers)
} else vitestOn('unit and integration', 'node', [...embedded, ...services], workers)
await types()
const endToEnd = join(results, 'e2e.json')
rmSync(endToEnd, { force: true })
env.PLAYWRIGHT_JSON_OUTPUT_FILE = endToEnd
step('end to end', ['playwright', 'test', '--reporter=line,json'], () => {
  const report = JSON.parse(readFileSync(endToEnd, 'utf8'))
  ran.push(...fromPlaywright(report))
  const { expected, flaky, unexpected } = report.stats
  return { passed: expected + flaky, failed: unexpected }
})

if (ALL) {
  step('types', ['tsc', '--noEmit', '-p', 'bench'])
  // Shows that every measurement still runs; so few rows and seconds measure nothing.
  const totals = join(results, 'bench-short.json')
  rmSync(totals, { force: true })
  const count = () => (existsSync(totals) ? JSON.parse(readFileSync(totals, 'utf8')) : undefined)
  step('measurements, in short form', ['bench/main.ts', 'all', '--short'], count, [process.execPath, '--import', 'tsx'])
}

console.log('\n— security, line by line, from the tests above')
const verdicts = judge(LINES, ran, ALL)
console.log(table(verdicts))
total.failed += count(verdicts).failed

console.log('\n— time')
for (const [title, seconds] of took) console.log(`${seconds.toFixed(0).padStart(6)} s  ${title}`)

const failed = failures(ran)
if (failed !== '') console.log(`\n— failed\n${failed}`)

if (!postgres)
  console.log(
    '\nNOT RUN: everything over Postgres, because none was found. Set TEST_POSTGRES_URL to a Postgres in which databases may be made.',
  )
if (!redis)
  console.log(
    '\nNOT RUN: everything over Redis, because none was found. Set TEST_REDIS_URL to a Redis that tests may use.',
  )
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
