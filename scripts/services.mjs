// The parts of the test suite that are not npm packages: a browser, a Postgres and a Redis. Each is found, installed, or reported
// with how to install it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { giveUp, root } from './ready.mjs'

const isRootOnDebian = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

let listed = false
function aptInstall(...packages) {
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-y', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  console.error(`Installing ${packages.join(', ')} …`)
  if (!listed) apt('update')
  listed = true
  return apt('install', ...packages).status === 0
}

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Browsers that a system may have, for who has no headless shell. */
const WHOLE_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

function installPlaywrights() {
  const cli = join(root, 'node_modules/playwright/cli.js')
  return spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 180_000 }).status === 0
}

/**
 * Returns a Chromium for the tests: Playwright's own, else CHROMIUM_PATH, else the headless shell, which Debian has as a package, else
 * a whole browser. A whole one also draws its window's own pages: it takes four times the processor for each context, and the tests of
 * pages half as long again.
 */
export function requireBrowser() {
  const { chromium } = createRequire(join(root, 'package.json'))('playwright')
  if (existsSync(chromium.executablePath())) return undefined
  const firstOf = (paths) => paths.find((path) => path && existsSync(path))
  const shell = firstOf([process.env.CHROMIUM_PATH, HEADLESS_SHELL])
  if (shell) return shell
  if (isRootOnDebian() && aptInstall('chromium-headless-shell')) return HEADLESS_SHELL
  const whole = firstOf(WHOLE_BROWSERS)
  if (whole) return whole
  if (installPlaywrights()) return undefined
  if (isRootOnDebian() && aptInstall('chromium')) return '/usr/bin/chromium'
  giveUp('The tests need a Chromium. Run `npx playwright install chromium`, or set CHROMIUM_PATH to one you have.')
}

/** Makes sure Python exists, because the tests run the guides' Python programs. In CI its absence is a failure. */
export function providePython() {
  if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).status !== 0 && isRootOnDebian()) aptInstall('python3')
}

/** Makes sure a PgBouncer exists, of any version, because the tests connect through one. In CI its absence is a failure. */
export function providePooler() {
  const isThere = ['pgbouncer', '/usr/sbin/pgbouncer'].some(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
  )
  if (!isThere && isRootOnDebian()) aptInstall('pgbouncer')
}

function answers(host, port) {
  return new Promise((done) => {
    const socket = new Socket()
    const end = (result) => {
      socket.destroy()
      done(result)
    }
    socket
      .setTimeout(2_000, () => end(false))
      .once('error', () => end(false))
      .connect(port, host, () => end(true))
  })
}

const LOCAL = 'postgres://postgres@127.0.0.1:5432/postgres'

/** Starts Debian's Postgres for the tests on a port of its own: loopback only, no password, no fsync. */
async function startDebianPostgres() {
  if (!existsSync('/usr/lib/postgresql') && !(isRootOnDebian() && aptInstall('postgresql'))) return undefined
  const version = readdirSync('/usr/lib/postgresql').sort().at(-1)
  if (!version || !isRootOnDebian()) return undefined
  const port = 54329
  if (await answers('127.0.0.1', port)) return `postgres://postgres@127.0.0.1:${port}/postgres`
  const bin = `/usr/lib/postgresql/${version}/bin`
  const directory = '/tmp/plumbline-test-postgres'
  const asPostgres = (script) =>
    spawnSync('su', ['postgres', '-s', '/bin/sh', '-c', script], { stdio: 'ignore' }).status === 0
  asPostgres(`test -d ${directory} || ${bin}/initdb -D ${directory} -A trust -U postgres`)
  const started = asPostgres(
    `${bin}/pg_ctl -D ${directory} -w -o "-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp -c fsync=off" -l ${directory}.log start`,
  )
  return started ? `postgres://postgres@127.0.0.1:${port}/postgres` : undefined
}

/**
 * Returns a Postgres in which tests may create databases: TEST_POSTGRES_URL, else the local one, else Debian's. Undefined when
 * there is none.
 */
export async function findPostgres() {
  if (process.env.TEST_POSTGRES_URL) return process.env.TEST_POSTGRES_URL
  if ((await answers('127.0.0.1', 5432)) && (await canLogIn(LOCAL))) return LOCAL
  return startDebianPostgres()
}

/**
 * Returns the folder with `initdb` and `postgres`: TEST_POSTGRES_BIN, else Debian's, else next to `pg_config`. Undefined when there
 * is none.
 */
export function findPostgresPrograms() {
  const debian = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : []
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  return [
    process.env.TEST_POSTGRES_BIN,
    ...debian.reverse().map((v) => `/usr/lib/postgresql/${v}/bin`),
    stdout?.trim(),
  ].find((folder) => folder && existsSync(join(folder, 'initdb')))
}

async function canLogIn(connectionString) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}

/** Starts a Redis for the tests on a free port, without a data file. It ends with this process. */
async function startRedis() {
  const port = await freePort()
  const redis = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: 'ignore',
    },
  )
  let missing = false
  redis.once('error', () => {
    missing = true
  })
  process.once('exit', () => redis.kill())
  for (let i = 0; i < 100 && !missing && redis.exitCode === null; i++) {
    if (await answers('127.0.0.1', port)) return `redis://127.0.0.1:${port}`
    await new Promise((done) => setTimeout(done, 50))
  }
  return undefined
}

/**
 * Returns a Redis where tests may use keys with their own prefix: TEST_REDIS_URL, else the local one, else a new one. Undefined
 * when there is none.
 */
export async function findRedis() {
  if (process.env.TEST_REDIS_URL) return process.env.TEST_REDIS_URL
  if (await answers('127.0.0.1', 6379)) return 'redis://127.0.0.1:6379'
  return (await startRedis()) ?? (isRootOnDebian() && aptInstall('redis-server') ? startRedis() : undefined)
}

/** Returns a PgBouncer that knows named statements (1.21 or later): TEST_PGBOUNCER, else the installed one. Undefined when there is none. */
export function findPgBouncer() {
  return [process.env.TEST_PGBOUNCER, 'pgbouncer', '/usr/sbin/pgbouncer'].find((program) => {
    const { stdout } = program ? spawnSync(program, ['--version'], { encoding: 'utf8' }) : {}
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
    return Number(major) > 1 || Number(minor) >= 21
  })
}

/** Reports whether a RAM disk of a few megabytes can be mounted, which a test may fill up. */
export function canMountDisk() {
  const place = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place], { stdio: 'ignore' }).status === 0
  if (done) spawnSync('umount', [place], { stdio: 'ignore' })
  rmdirSync(place)
  return done
}
