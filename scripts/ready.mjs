// Finds and fixes what a fresh clone lacks, using nothing but Node: dependencies, the build, a browser, a Postgres.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const NEEDED = [20, 19]

/** Exits with a message for the person at the terminal. */
export function giveUp(message) {
  console.error(message)
  process.exit(1)
}

/** Runs a program to completion and shows its output. Exits with the message `failure` when the program fails. */
function run(command, args, failure, options = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  })
  if (status !== 0) giveUp(failure)
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  giveUp(
    `Node ${NEEDED.join('.')} or newer is needed; this is ${process.versions.node}. Install it from nodejs.org and run this again.`,
  )
}

/** Hashes files and folders by path and content. */
function fingerprint(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name))
    } else {
      hash.update(path.slice(root.length)).update(readFileSync(path))
    }
  }
  for (const path of paths) add(join(root, path))
  return hash.digest('hex')
}

/** Returns what to write down once something is made from `sources`; undefined when `marker` says that it already is. */
function missing(marker, sources) {
  const path = join(root, marker)
  const wanted = fingerprint(sources)
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) return undefined
  return { done: () => writeFileSync(path, wanted) }
}

// A connection that says nothing for half a minute is opened again; npm itself waits for five.
const INSTALL = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-timeout=30000']
const NOT_INSTALLED = 'The dependencies could not be installed; npm says why above. Is the registry reachable?'
const missingDependencies = (folder) =>
  missing(join(folder, 'node_modules/.plumbline-installed'), [join(folder, 'package-lock.json')])

export function requireDependencies() {
  const install = missingDependencies('.')
  if (!install) return
  console.error('Installing dependencies …')
  run('npm', INSTALL, NOT_INSTALLED)
  install.done()
}

/** Installs the packages of a folder of tests, beside those of another. */
export async function provideDependencies(folder) {
  const install = missingDependencies(folder)
  if (!install) return
  console.error(`Installing dependencies of ${folder} …`)
  const options = { cwd: join(root, folder), stdio: 'inherit', shell: process.platform === 'win32' }
  const code = await new Promise((done) => spawn('npm', INSTALL, options).once('error', done).once('exit', done))
  if (code !== 0) giveUp(NOT_INSTALLED)
  install.done()
}

const BUILT_FROM = [
  'app',
  'lib',
  'db',
  'patches',
  'public',
  'docs',
  'scripts/bundle.mjs',
  'scripts/views.ts',
  'scripts/places.ts',
  'scripts/commit.ts',
  'scripts/after-build.mjs',
  'scripts/compress-static.mjs',
  'middleware.ts',
  'instrumentation.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'package-lock.json',
  'tsconfig.json',
]

export function requireBuild() {
  const build = missing('.next/plumbline-built', BUILT_FROM)
  if (!build) return
  console.error('Building …')
  // Who builds again and again has a cache from `npm run build`; a fresh clone does not pay for one.
  const once = existsSync(join(root, '.next/cache')) ? {} : { PLUMBLINE_BUILD_ONCE: '1' }
  run('npm', ['run', '--silent', 'build'], 'The build failed; see above.', {
    env: { ...process.env, ...once, NODE_ENV: 'production' },
  })
  build.done()
}
