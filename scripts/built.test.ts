import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder = ''
const inFolder = (path: string) => join(folder, path)
const run = (program: string, cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inFolder(`bin/${program}.mjs`)], {
    encoding: 'utf8',
    cwd,
  })
  return { status, out: stdout.trim(), said: stderr.trim() }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-built-'))
  cpSync('bin', inFolder('bin'), { recursive: true })
  writeFileSync(inFolder('package.json'), '{"type":"module"}')
  writeFileSync(inFolder('server.ts'), 'as it was')
})
afterAll(() => rmSync(folder, { recursive: true }))

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
/** Writes what a build of the pages leaves behind. */
function buildPages(sources: Record<string, string>, built = 'one', id = built) {
  mkdirSync(inFolder('.next'), { recursive: true })
  writeFileSync(inFolder('.next/BUILD_ID'), id)
  writeFileSync(inFolder('.next/sources.json'), JSON.stringify({ built, sources }))
}

test('without a build, a program says how to build it', () => {
  expect(run('server')).toEqual({ status: 1, out: '', said: 'There is no build yet. Run `npm run build` first.' })
})

test('built: it runs at the repository root, and the command line knows its working directory', () => {
  mkdirSync(inFolder('dist'))
  writeFileSync(inFolder('dist/server.js'), 'console.log(process.cwd())')
  writeFileSync(inFolder('dist/cli.js'), 'console.log(process.cwd(), process.env.PLUMBLINE_CWD)')
  const hash = hashOf('as it was')
  writeFileSync(inFolder('dist/sources.json'), JSON.stringify({ 'server.ts': hash, 'lib/not-copied.ts': hash }))
  buildPages({ 'server.ts': hash, 'app/not-copied.tsx': hash })
  expect(run('server', tmpdir())).toEqual({ status: 0, out: folder, said: '' })
  expect(run('plumbline', tmpdir()).out).toBe(`${folder} ${tmpdir()}`)
})

test('a source that is newer and different from the build is reported; one that is only newer is not', () => {
  const later = new Date(Date.now() + 60_000)
  utimesSync(inFolder('server.ts'), later, later)
  expect(run('server').status).toBe(0)
  writeFileSync(inFolder('server.ts'), 'changed since')
  utimesSync(inFolder('server.ts'), later, later)
  expect(run('server')).toMatchObject({
    status: 1,
    out: '',
    said: expect.stringMatching(/older than server\.ts.*npm run build/),
  })
  expect(run('plumbline').status).toBe(1)
})

test.each<[title: string, prepare: () => void, said: RegExp]>([
  [
    'are missing',
    () => rmSync(inFolder('.next'), { recursive: true, force: true }),
    /^There is no build yet\. .*npm run build/,
  ],
  [
    'were built alone',
    () => buildPages({}, 'one', 'two'),
    /^The pages in \.next were built without the server in dist\. .*npm run build/,
  ],
  [
    'were built from another version of a source',
    () => buildPages({ 'lib/not-copied.ts': hashOf('another') }),
    /^The pages in \.next and the server in dist were built from different versions of lib\/not-copied\.ts\. .*npm run build/,
  ],
  [
    'are older than a page',
    () => {
      buildPages({ 'app/page.tsx': hashOf('a page') })
      mkdirSync(inFolder('app'))
      writeFileSync(inFolder('app/page.tsx'), 'another page')
      const later = new Date(Date.now() + 60_000)
      utimesSync(inFolder('app/page.tsx'), later, later)
    },
    /^The pages in \.next are older than app\/page\.tsx\. .*npm run build/,
  ],
])('pages that %s: the server says so and ends, and the command line runs', (_, prepare, said) => {
  writeFileSync(inFolder('server.ts'), 'as it was')
  prepare()
  expect(run('server')).toEqual({ status: 1, out: '', said: expect.stringMatching(said) })
  expect(run('plumbline').status).toBe(0)
})
