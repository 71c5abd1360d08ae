import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name)
    return statSync(join(root, path)).isDirectory() ? filesUnder(path) : [path]
  })
}

/** Every source file that runs in the service, tests aside, as paths from the root. */
export const sourceFiles = (): string[] =>
  [...['app', 'lib', 'db', 'patches'].flatMap(filesUnder), 'server.ts', 'middleware.ts', 'instrumentation.ts'].filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.ts$|testing/.test(path),
  )
