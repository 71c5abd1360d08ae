/**
 * Adds the optional packages of other platforms to `package-lock.json`.
 *
 * npm omits an optional package from the lock file when it cannot see it, and `npm ci` then rejects the file on every machine. An
 * entry needs only its exact version and its platforms; npm reads the rest from the registry at installation. Run it after each
 * change of dependencies: `npm run lock`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
export interface LockFile {
  packages: Record<string, LockEntry>
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'win32']
const PROCESSORS: Record<string, string> = { arm64: 'arm64', x64: 'x64', ia32: 'ia32', arm: 'arm', wasm32: 'wasm32' }
const C_LIBRARIES: Record<string, string> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** Returns the platform in a package name such as `@next/swc-linux-x64-musl`. */
function platform(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const only = (value: string | undefined) => (value === undefined ? undefined : [value])
  const of = (table: Record<string, string>) => only(words.map((word) => table[word]).find((value) => value))
  const found = { os: only(words.find((word) => SYSTEMS.includes(word))), cpu: of(PROCESSORS), libc: of(C_LIBRARIES) }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value))
}

/** Returns where Node would find `name` for the package at `from`, or undefined when the lock file does not contain it. */
function resolve({ packages }: LockFile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (packages[path]) return path
    if (!folder) return undefined
  }
}

/**
 * Returns the entries missing from the lock file, by path. Throws when a missing package has a version range, because only an exact
 * version can be written without asking the registry.
 */
export function missingEntries(lock: LockFile): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {}
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (resolve(lock, path, name)) continue
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        throw new Error(
          `${path} wants ${name} ${version}, which is not an exact version; lock it where it can be seen.`,
        )
      missing[`node_modules/${name}`] = {
        version,
        ...platform(name),
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
      }
    }
  }
  return missing
}

function main() {
  const path = join(fileURLToPath(new URL('..', import.meta.url)), 'package-lock.json')
  const lock: LockFile = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingEntries(lock)
  const sorted = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} packages of other platforms added to package-lock.json`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
