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

test('without a build a program says what to do first', () => {
  expect(run('server')).toEqual({ status: 1, out: '', said: 'There is no build yet. Run `npm run build` first.' })
})

test('built: it runs at the top of the repository, and the command line knows where it was typed', () => {
  mkdirSync(inFolder('dist'))
  writeFileSync(inFolder('dist/server.js'), 'console.log(process.cwd())')
  writeFileSync(inFolder('dist/cli.js'), 'console.log(process.cwd(), process.env.PLUMBLINE_CWD)')
  const hash = createHash('sha256').update('as it was').digest('hex')
  writeFileSync(inFolder('dist/sources.json'), JSON.stringify({ 'server.ts': hash, 'lib/not-copied.ts': hash }))
  expect(run('server', tmpdir())).toEqual({ status: 0, out: folder, said: '' })
  expect(run('plumbline', tmpdir()).out).toBe(`${folder} ${tmpdir()}`)
})

test('a source that is newer and other than what was built is named; one that is only newer is not', () => {
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
