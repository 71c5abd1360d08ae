import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { NextRequest } from 'next/server'
import { describe, expect, test } from 'vitest'
import { newKeyText } from '@/lib/auth/keys'
import { middleware } from './middleware'

const root = import.meta.dirname

/** Returns what a file imports as it is loaded, types aside. What it loads later, for a refusal, is not on a request's way. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/^import type [\s\S]*?from '[^']+'/gm, '')
  return [...text.matchAll(/(?:^(?:import|export) [^']*?from|^import)\s*'([^']+)'/gm)].map(([, name = '']) => name)
}

function fileOf(name: string, from: string): string | undefined {
  if (!/^(\.|@\/)/.test(name)) return undefined
  const path = name.startsWith('@/') ? join(root, name.slice(2)) : resolve(dirname(from), name)
  return [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find(
    (file) => /\.tsx?$/.test(file) && existsSync(file),
  )
}

/** Returns everything that is reached from a file: files of ours by path, packages by name. */
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

test('a request on its way through the middleware loads no database', () => {
  const { files, packages } = reachedFrom('middleware.ts')
  expect(files).toContain('lib/http/keyless.ts')
  expect(files.filter((file) => file.startsWith('db/'))).toEqual([])
  expect(packages.filter((name) => DATABASE.test(name))).toEqual([])
})

test('the same walk finds the database behind what refuses', () => {
  const { files, packages } = reachedFrom('lib/server/key-gate.ts')
  expect(files).toContain('db/client.ts')
  expect(packages.some((name) => DATABASE.test(name))).toBe(true)
})

describe('what passes the middleware', () => {
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    middleware(new NextRequest(`http://localhost${path}`, { method, headers: { host: 'localhost', ...headers } }))

  test.each(['/api/v1/customers', '/customers', '/api/v1/invoices/inv_1?limit=x'])(
    'GET %s without a key is 401 here, with the limit’s headers',
    async (path) => {
      const { status, headers } = await ask(path)
      expect([status, headers.get('x-ratelimit-limit'), headers.get('x-middleware-next')]).toEqual([401, '10', null])
    },
  )

  test('a well-formed key goes on to the route, whoever holds it', async () => {
    const { status, headers } = await ask('/api/v1/customers', { 'x-api-key': newKeyText('live') })
    expect([status, headers.get('x-middleware-next')]).toEqual([200, '1'])
  })

  test.each([
    ['OPTIONS', '/api/v1/customers'],
    ['POST', '/api/v1/customers'],
    ['GET', '/api/v1/openapi'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/health'],
    ['GET', '/mcp/info'],
  ])('%s %s needs no key here', async (method, path) => {
    expect((await ask(path, {}, method)).headers.get('x-middleware-next')).toBe('1')
  })

  test('a host that leads elsewhere is said first', async () => {
    expect((await ask('/api/v1/customers', { host: 'mcp.localhost' })).status).toBe(421)
  })
})
