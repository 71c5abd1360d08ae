// Loads a program that `npm run build` made, unless it is missing or older than its sources.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const MANIFEST = join(root, 'dist', 'sources.json')

/** Files that a copy without sources, such as a container's, does not have are not compared. */
function changedSince(builtAt, path, hash) {
  const { mtimeMs } = statSync(join(root, path), { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  // Only a file that is newer is read: a checkout sets times without changing a word.
  if (mtimeMs <= builtAt) return false
  return (
    createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex') !== hash
  )
}

/** Why the built programs cannot be run; undefined when they can. */
function whyNot() {
  if (!existsSync(MANIFEST)) return 'There is no build yet. Run `npm run build` first.'
  const builtAt = statSync(MANIFEST).mtimeMs
  const changed = Object.entries(JSON.parse(readFileSync(MANIFEST, 'utf8'))).find(([path, hash]) =>
    changedSince(builtAt, path, hash),
  )
  return (
    changed &&
    `The build is older than ${changed[0]}. Run \`npm run build\` (or \`npm run build:server\` where no page changed).`
  )
}

/** Runs `dist/<name>.js`, or ends with a sentence that says what to do first. */
export async function runBuilt(name) {
  const reason = whyNot()
  // Node 22 and later keep compiled code for the next start. Beside the build and not in a folder for everybody, where others could write it.
  if (reason === undefined) module.enableCompileCache?.(join(root, 'dist', '.compiled'))
  if (reason === undefined) return import(pathToFileURL(join(root, 'dist', `${name}.js`)).href)
  console.error(reason)
  process.exit(1)
}
