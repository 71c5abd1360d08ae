import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = import.meta.dirname

/** What a file imports when it runs, types aside; at any time, not only as it is loaded. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/^import type [\s\S]*?from '[^']+'/gm, '')
  return [...text.matchAll(/(?:^(?:import|export) [^']*?from|^import|\bimport\()\s*'([^']+)'/gm)].map(
    ([, name = '']) => name,
  )
}

function fileOf(name: string, from: string): string | undefined {
  if (!/^(\.|@\/)/.test(name)) return undefined
  const path = name.startsWith('@/') ? join(root, name.slice(2)) : resolve(dirname(from), name)
  return [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find(
    (file) => /\.tsx?$/.test(file) && existsSync(file),
  )
}

/** Everything that is reached from a file: files of ours by path, packages by name. */
function reachedFrom(entry: string): { files: string[]; packages: string[] } {
  const files = new Set([join(root, entry)])
  const packages = new Set<string>()
  for (const path of files)
    for (const name of importsOf(path)) {
      const file = fileOf(name, path)
      if (file) files.add(file)
      else packages.add(name)
    }
  return { files: [...files].map((file) => file.slice(root.length + 1)), packages: [...packages] }
}

const DATABASE = /^(drizzle-orm|pg|@electric-sql\/pglite|@vercel\/postgres)(\/|$)/

test('the middleware reaches no database, whatever it loads and when', () => {
  const { files, packages } = reachedFrom('middleware.ts')
  expect(files).toContain('lib/server/key-gate.ts')
  expect(files.filter((file) => file.startsWith('db/'))).toEqual([])
  expect(packages.filter((name) => DATABASE.test(name))).toEqual([])
})

test('the same walk finds the database behind the endpoints', () => {
  const { files, packages } = reachedFrom('lib/server/endpoints.ts')
  expect(files).toContain('db/client.ts')
  expect(packages.some((name) => DATABASE.test(name))).toBe(true)
})
