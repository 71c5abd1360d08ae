import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { walks } from './testing/sources'

const root = resolve(import.meta.dirname, '..')
const MOST: Record<string, number> = { 'One GET': 20, 'One tool call': 19 }

const known = new Map<string, string[]>()

function importsOf(path: string): string[] {
  const imports = known.get(path) ?? readImports(path)
  known.set(path, imports)
  return imports
}

function readImports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, name = '']) => {
    if (!/^[.@]\/|^\.\./.test(name)) return []
    const ours = name.startsWith('@/') ? name.slice(2) : relative(root, resolve(root, dirname(path), name))
    return ['.ts', '.tsx'].map((ending) => ours + ending).filter((file) => existsSync(join(root, file)))
  })
}

/** Returns every file that these import, directly or through others. */
function reachedFrom(files: string[]): Set<string> {
  const reached = new Set(files)
  for (const file of reached) for (const next of importsOf(file)) reached.add(next)
  return reached
}

const found = walks()

test('docs/architecture.md has walks for one GET, one tool call, one lead, one key creation and one load', () => {
  const titles = ['One GET', 'One tool call', 'One lead', 'One key creation', 'One load']
  expect(found.map(({ title }) => title)).toEqual(titles)
})

test.each(found)('$title: lists existing files, each once, within the promised number', ({ title, files, asked }) => {
  const all = [...files, ...asked]
  expect(all.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(all.filter((file, i) => all.indexOf(file) !== i)).toEqual([])
  expect(files.length).toBeLessThanOrEqual(MOST[title] ?? 20)
})

test.each(found)('$title: each file is reached by imports from those before it', ({ files, asked }) => {
  const [first = '', ...others] = files
  // The server finds a route file by its path, in the build.
  const isFound = (file: string, before: string[]) => /^app\/.*route\.ts$/.test(file) || reachedFrom(before).has(file)
  expect(others.filter((file, i) => !isFound(file, [first, ...others.slice(0, i)]))).toEqual([])
  const reached = reachedFrom(files)
  expect(asked.filter((file) => !reached.has(file))).toEqual([])
})
