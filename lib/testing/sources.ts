import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

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
export const sourceFiles = (): string[] => codeFiles().filter((path) => /\.tsx?$/.test(path) && !/testing/.test(path))
