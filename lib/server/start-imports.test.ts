import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Imports that are there at run time: not those of types, and not `import()`. */
const STATIC = /^(?:import|export) (?!type )([^']*?from )?'([^']+)'/gm

const isOfTypes = (names = '') =>
  /^\{[^}]*\} from $/.test(names) &&
  names
    .slice(1, names.indexOf('}'))
    .split(',')
    .every((name) => name.trim() === '' || name.trim().startsWith('type '))

function fileOf(name: string, from: string): string | undefined {
  if (!/^[.@]\//.test(name) && !name.startsWith('..')) return undefined
  const path = name.startsWith('@/') ? join(root, name.slice(2)) : resolve(dirname(from), name)
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((file) => /\.\w+$/.test(file) && existsSync(file))
}

/** Returns what a file imports, directly or through others: files of ours and packages. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set([join(root, entry)])
  const packages = new Set<string>()
  for (const from of files)
    for (const [, names, name = ''] of readFileSync(from, 'utf8').matchAll(STATIC)) {
      const file = fileOf(name, from)
      if (isOfTypes(names)) continue
      if (file) files.add(file)
      else if (!name.startsWith('node:')) packages.add(name)
    }
  return { files: [...files].map((file) => file.slice(root.length + 1)), packages: [...packages].sort() }
}

test('a start loads no package but those that the first request needs', () => {
  const loaded = ['lib/server/serve.ts', 'app/api/v1/[resource]/route.ts'].map(loadedBy)
  const packages = new Set(loaded.flatMap((each) => each.packages))
  expect([...packages].sort()).toEqual([
    'drizzle-orm',
    'drizzle-orm/pg-core',
    'ipaddr.js',
    'lru-cache',
    'pino',
    'standardwebhooks',
    'ulid',
    'zod',
  ])
})

test.each(['lib/server/serve.ts', 'app/api/v1/[resource]/route.ts', 'app/api/v1/[resource]/[id]/route.ts'])(
  '%s loads neither all operations, nor the loader, nor the MCP server',
  (entry) => {
    const rooms = /^lib\/(operations\/registry|load\/load|load\/join|knowledge|leads|mcp\/(tools|service|session))/
    expect(loadedBy(entry).files.filter((file) => rooms.test(file))).toEqual([])
  },
)

test('a function begins without the database and the operations, which its route brings', () => {
  const { files, packages } = loadedBy('lib/server/boot-function.ts')
  expect(packages).toEqual(['lru-cache', 'pino', 'zod'])
  expect(files.filter((file) => /^(db\/(client|schema|queries\/(?!deployment))|lib\/operations)/.test(file))).toEqual(
    [],
  )
})

/** The files that answer one operation or show one page, except those that describe all of them. */
const OF_ONE = /^app\/(api|health|mcp\/(rpc\/)?route|\(portal\)\/(?!developers|mcp\/console))(?!\/v1\/openapi)/

test('the route of one operation does not bring all of them', () => {
  const routes = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .map((path) => `app/${path}`)
    .filter((path) => /\/(route|page|layout)\.tsx?$/.test(path) && OF_ONE.test(path))
  expect(routes).toContain('app/mcp/route.ts')
  expect(routes.filter((path) => loadedBy(path).files.includes('lib/operations/registry.ts'))).toEqual([])
})
