import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The version; 12.0 and later need packages that the registry does not have. */
const VERSION = '11.3.5'
const FOLDER = resolve('artifacts/peers/directus')
/** Runs scripts that administrators write, which no request here does. It is compiled at installation, so an empty package takes its place. */
const LEFT_OUT = 'isolated-vm'
const OWN_NODE = resolve('e2e/clients/node_modules/node/bin/node')
/** Installs Node as `npm test` does; a program of its own, because the scripts have no types. */
const PROVIDE_NODE = `await (await import('./scripts/ready.mjs')).provideDependencies('e2e/clients')`

/** Returns a Node that Directus runs on: 22 or newer. */
function nodeForDirectus(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  return OWN_NODE
}

/** Installs Directus, and a Node that it runs on, where they are not there yet. */
export function installDirectus(): void {
  if (nodeForDirectus() === OWN_NODE) {
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', PROVIDE_NODE], { stdio: 'inherit' })
    if (status !== 0) throw new Error('Directus needs Node 22 or newer, and none could be installed; see above.')
  }
  const installed = join(FOLDER, 'node_modules/directus/cli.js')
  if (existsSync(installed)) return
  mkdirSync(join(FOLDER, LEFT_OUT), { recursive: true })
  writeFileSync(
    join(FOLDER, LEFT_OUT, 'package.json'),
    JSON.stringify({ name: LEFT_OUT, version: '5.0.0', main: 'index.js' }),
  )
  writeFileSync(join(FOLDER, LEFT_OUT, 'index.js'), 'module.exports = {}\n')
  const dependencies = { directus: VERSION, [LEFT_OUT]: `file:./${LEFT_OUT}` }
  const overrides = { [LEFT_OUT]: `$${LEFT_OUT}` }
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  console.log(`Installing Directus ${VERSION} …`)
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps']
  const { status } = spawnSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0 || !existsSync(installed)) throw new Error('Directus could not be installed; npm says why above.')
}

/** Adds Directus to a database and starts it there, with a token that may read everything. */
export function startDirectus(databaseUrl: string, port: number, token: string): ChildProcess {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: 'a-secret-for-the-bench-of-32-characters',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a-password-of-the-bench',
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    RATE_LIMITER_ENABLED: 'false',
    // It answers 503 while its event loop is late, which beside other processes it sometimes is.
    PRESSURE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
    STORAGE_LOCAL_ROOT: join(FOLDER, 'uploads'),
  }
  const program = [join(FOLDER, 'node_modules/directus/cli.js')]
  const options = { cwd: FOLDER, env, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
  const made = spawnSync(nodeForDirectus(), [...program, 'bootstrap'], options)
  if (made.status !== 0) throw new Error('Directus could not prepare the database; it says why above.')
  return spawn(nodeForDirectus(), [...program, 'start'], options)
}
