import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitOf } from './commit'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-commit-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

test('a build is of the commit that git or the platform names; changed files are told; without either it is of none', () => {
  expect(commitOf(folder, {})).toBe('')
  expect(commitOf(folder, { VERCEL_GIT_COMMIT_SHA: 'a1' })).toBe('a1')
  git('init', '-q')
  expect(commitOf(folder, {})).toBe('')
  writeFileSync(join(folder, 'one.txt'), 'one')
  git('add', '.')
  git('commit', '-qm', 'one')
  const head = git('rev-parse', 'HEAD').trim()
  expect(commitOf(folder, {})).toBe(head)
  expect(commitOf(folder, { SOURCE_COMMIT: 'b2', VERCEL_GIT_COMMIT_SHA: 'a1' })).toBe('b2')
  writeFileSync(join(folder, 'made.txt'), 'not known to git')
  expect(commitOf(folder, {})).toBe(head)
  writeFileSync(join(folder, 'one.txt'), 'two')
  expect(commitOf(folder, {})).toBe(`${head}-dirty`)
  mkdirSync(join(folder, 'within'))
  expect(commitOf(join(folder, 'within'), {})).toBe('')
})
