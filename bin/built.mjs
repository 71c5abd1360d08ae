// Loads a program that `npm run build` made, unless it is missing, older than its sources, or does not match the pages.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SERVER = join(root, 'dist', 'sources.json')
const PAGES = join(root, '.next', 'sources.json')
const BUILD_ID = join(root, '.next', 'BUILD_ID')

const times = new Map()

/** When a file was last written, asked once: the server and the pages have most of their sources in common. */
function writtenAt(path) {
  const known = times.get(path) ?? statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  times.set(path, known)
  return known
}

/** Files that a copy without sources, such as a container's, does not have are not compared. */
function changedSince(builtAt, path, hash) {
  // Only a file that is newer is read: a checkout sets times without changing a word.
  if (writtenAt(path) <= builtAt) return false
  return (
    createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex') !== hash
  )
}

/** The first source that has changed since a build wrote down its sources in `manifest`. */
function firstChanged(manifest, sources) {
  const builtAt = statSync(manifest).mtimeMs
  return Object.entries(sources).find(([path, hash]) => changedSince(builtAt, path, hash))?.[0]
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const BOTH = 'Run `npm run build`, which builds both.'

/** Why the pages cannot be served by this server: they were built alone, earlier, or from other sources. */
function whyNotPages(server) {
  const { built, sources } = existsSync(PAGES) ? readJson(PAGES) : {}
  if (built !== readFileSync(BUILD_ID, 'utf8'))
    return `The pages in .next were built without the server in dist. ${BOTH}`
  const changed = firstChanged(PAGES, sources)
  if (changed) return `The pages in .next are older than ${changed}. Run \`npm run build\`.`
  const [differing] = Object.entries(sources).find(([path, hash]) => path in server && server[path] !== hash) ?? []
  return (
    differing && `The pages in .next and the server in dist were built from different versions of ${differing}. ${BOTH}`
  )
}

/** Why a built program cannot be run; undefined when it can. The command line needs no pages. */
export function whyNot(program) {
  const isServer = program === 'server'
  if (!existsSync(SERVER) || (isServer && !existsSync(BUILD_ID)))
    return 'There is no build yet. Run `npm run build` first.'
  const server = readJson(SERVER)
  const changed = firstChanged(SERVER, server)
  if (changed)
    return `The build is older than ${changed}. Run \`npm run build\` (or \`npm run build:server\` where no page changed).`
  return isServer ? whyNotPages(server) : undefined
}

/** Loads `dist/<name>.js`. */
export function importBuilt(name) {
  // Node 22 and later keep compiled code for the next start. Beside the build and not in a folder for everybody, where others could write it.
  module.enableCompileCache?.(join(root, 'dist', '.compiled'))
  return import(pathToFileURL(join(root, 'dist', `${name}.js`)).href)
}

/** Runs `dist/<name>.js`, or ends with a sentence that says what to do first. */
export async function runBuilt(name) {
  const reason = whyNot(name)
  if (reason === undefined) return importBuilt(name)
  console.error(reason)
  process.exit(1)
}
