import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The variables that env.ts reads, found in its own text: each begins a line of its schema. */
const variables = [
  ...(read('lib/core/env.ts').split('z.object({')[1]?.split('\n})')[0] ?? '').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm),
].map(([, name = '']) => name)

test('the list of variables was found', () => {
  expect(variables.length).toBeGreaterThan(20)
  expect(variables).toEqual(expect.arrayContaining(['PORT', 'VERCEL_ENV']))
})

test.each(variables)('%s stands in .env.example and in the guide’s table', (name) => {
  expect(read('.env.example')).toMatch(new RegExp(`(^|[ ,])${name}\\b`, 'm'))
  expect(read('docs/deploy.md')).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'))
})

// vercel.com/docs/project-configuration/vercel-json; the bounds are those that Vercel's command line checks.
const VercelConfig = z.strictObject({
  $schema: z.literal('https://openapi.vercel.sh/vercel.json'),
  framework: z.literal('nextjs'),
  installCommand: z.string().max(256),
  buildCommand: z.string().max(256),
  regions: z.array(z.string().regex(/^[a-z]{3}\d$/)).length(1),
  functions: z.record(z.string().min(1).max(256), z.strictObject({ maxDuration: z.number().int().min(1).max(300) })),
  crons: z.array(z.strictObject({ path: z.string().startsWith('/').max(512), schedule: z.string().min(9).max(256) })),
})

describe('vercel.json', () => {
  const config = VercelConfig.parse(JSON.parse(read('vercel.json')))
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

  test('builds with an existing script', () => {
    expect(scripts[config.buildCommand.replace('npm run ', '')]).toBeDefined()
  })
})

test('the guides and the service file start the same command as `npm start`', () => {
  const { scripts }: { scripts: { start: string } } = JSON.parse(read('package.json'))
  // No shell stands in between there, so nothing needs to be replaced.
  const start = scripts.start.replace(/^exec /, '')
  expect(read('deploy/plumbline.service')).toContain(`ExecStart=/usr/bin/${start}\n`)
  const words = /^CMD (\[.+\])$/m.exec(read('deploy/Dockerfile'))?.[1] ?? '[]'
  expect(JSON.parse(words).join(' ')).toBe(start)
})

test('the links of the guide work', () => {
  for (const [, path = ''] of read('docs/deploy.md').matchAll(/\]\(\.\.\/([^)#]+)\)/g))
    expect(existsSync(join(root, path)), path).toBe(true)
  expect(readdirSync(join(root, 'deploy'))).toEqual(expect.arrayContaining(['Dockerfile', 'plumbline.service']))
})
