import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A walk of docs/architecture.md: the files a request is handed to in order, and those that are only asked. */
export type Walk = { title: string; files: string[]; asked: string[] }

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)

/** The walks that docs/architecture.md describes, in its order. */
export function walks(): Walk[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const rows = section.split('\n').filter((line) => line.startsWith('| `'))
      const cells = rows.map((row) => row.split('|'))
      return {
        title: section.split('\n', 1)[0] ?? '',
        files: cells.flatMap(([, file = '']) => quoted(file)),
        asked: cells.flatMap(([, , , asked = '']) => quoted(asked)),
      }
    })
}

/** The walk with this title. */
export function walkOf(title: string): Walk {
  const walk = walks().find((each) => each.title === title)
  if (!walk) throw new Error(`docs/architecture.md has no walk "${title}"`)
  return walk
}

const root = resolve(import.meta.dirname, '../..')

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name)
    return statSync(join(root, path)).isDirectory() ? filesUnder(path) : [path]
  })
}

/** Lists every file of our code, tests aside, as paths from the root. */
export const codeFiles = (): string[] =>
  [...['app', 'lib', 'db', 'patches'].flatMap(filesUnder), 'middleware.ts', 'instrumentation.ts', 'server.mjs'].filter(
    (path) => /\.(tsx?|mjs)$/.test(path) && !/\.test\.ts$/.test(path),
  )

/** The TypeScript of them that runs in the service. */
export const sourceFiles = (): string[] =>
  codeFiles().filter((path) => /\.tsx?$/.test(path) && !path.startsWith('lib/testing/'))
