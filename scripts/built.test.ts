import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder = ''
const inFolder = (path: string) => join(folder, path)
const run = (program: string, cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inFolder(program)], { encoding: 'utf8', cwd })
  return { status, out: stdout.trim(), said: stderr.trim() }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-built-'))
  cpSync('bin', inFolder('bin'), { recursive: true })
  cpSync('server.mjs', inFolder('server.mjs'))
  writeFileSync(inFolder('package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(['server.mjs', 'bin/plumbline.mjs'])('%s: without a build it says how to build', (program) => {
  expect(run(program)).toEqual({ status: 1, out: '', said: 'There is no build yet. Run `npm run build` first.' })
})

test('the command line runs what the build made at the top of the repository, and knows where it was typed', () => {
  mkdirSync(inFolder('.next/server'), { recursive: true })
  writeFileSync(inFolder('.next/package.json'), '{"type":"commonjs"}')
  writeFileSync(inFolder('.next/BUILD_ID'), 'one')
  writeFileSync(
    inFolder('.next/server/instrumentation.js'),
    'exports.command = async () => console.log(process.cwd(), process.env.PLUMBLINE_CWD)',
  )
  expect(run('bin/plumbline.mjs', tmpdir())).toEqual({ status: 0, out: `${folder} ${tmpdir()}`, said: '' })
})
