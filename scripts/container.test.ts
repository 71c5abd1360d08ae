import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** A pattern of the ignore file as an expression: `*` is any name, a leading `**\/` any folder. */
function expressionOf(pattern: string): RegExp {
  const [, anywhere = '', name = ''] = /^(\*\*\/)?(.+)$/.exec(pattern) ?? []
  const text = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${anywhere && '(.+/)?'}${text}(/|$)`)
}

const ignored = readFileSync(join(root, 'deploy/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(expressionOf)
const isOutside = (path: string) => ignored.some((pattern) => pattern.test(path))

/** The TypeScript that the image is built from. What tools generate is made again within the image. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (isOutside(path)) return []
    if (entry.isDirectory()) return sourcesIn(path)
    return /\.tsx?$/.test(path) && !path.endsWith('.d.ts') ? [path] : []
  })
}

const ENDINGS = ['', '.ts', '.tsx', '/index.ts']

/** The files of ours that a source imports, as paths from the root. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(@\/|\.{1,2}\/)([^']+)'/g)].flatMap(([, from = '', rest = '']) => {
    const name = from === '@/' ? rest : relative(root, resolve(root, dirname(path), from + rest))
    return ENDINGS.map((ending) => name + ending).filter((file) => existsSync(join(root, file)))
  })
}

test('files in the container import no file outside it', () => {
  const sources = sourcesIn('.')
  expect(sources).toEqual(expect.arrayContaining(['instrumentation.ts', 'lib/core/env.ts', 'app/layout.tsx']))
  expect(sources.filter((path) => /^(e2e|bench)\/|\.test\.ts$/.test(path))).toEqual([])
  const missing = sources.flatMap((path) =>
    importsOf(path)
      .filter(isOutside)
      .map((file) => `${path} imports ${file}`),
  )
  expect(missing).toEqual([])
})
