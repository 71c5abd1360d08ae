import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DirectoryOpen, makePrivate } from './private-directory'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'plumbline-private-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string) => statSync(path).mode & 0o7777

/** A directory with files that everybody may read. */
function openDirectory(...names: string[]): string {
  const directory = join(parent, 'data')
  mkdirSync(directory)
  for (const name of names) writeFileSync(join(directory, name), '')
  chmodSync(directory, 0o755)
  return directory
}

test('one that is missing is created for its user only', () => {
  const directory = join(parent, 'a', 'b')
  makePrivate(directory)
  expect(modeOf(directory)).toBe(0o700)
})

test.each([[[]], [['lock']], [['secrets.json', 'notes.txt']]])('an open one of ours, with %j, is closed', (names) => {
  const directory = openDirectory(...names)
  makePrivate(directory)
  expect(modeOf(directory)).toBe(0o700)
})

test('an open one with the files of somebody else is refused and left as it is; the sentence says what to do', () => {
  const directory = openDirectory('notes.txt')
  expect(() => makePrivate(directory)).toThrow(DirectoryOpen)
  expect(() => makePrivate(directory)).toThrow(/it holds other files. Run `chmod 700`.*PLUMBLINE_DATA_DIR/)
  expect(modeOf(directory)).toBe(0o755)
  chmodSync(directory, 0o700)
  makePrivate(directory)
})

test.runIf(process.platform !== 'win32')('a directory of the system is never closed, whoever runs this', () => {
  const link = join(parent, 'link')
  symlinkSync('/', link)
  const before = modeOf('/')
  for (const directory of ['/', link, '/usr']) expect(() => makePrivate(directory), directory).toThrow(DirectoryOpen)
  expect(modeOf('/')).toBe(before)
  const shared = openDirectory()
  chmodSync(shared, 0o1777)
  expect(() => makePrivate(shared)).toThrow(/it is shared/)
})

test('one that cannot be made or written is refused with why, and the setting', () => {
  const file = join(parent, 'file')
  writeFileSync(file, '')
  expect(() => makePrivate(file)).toThrow(/cannot be written: it is a file. Set PLUMBLINE_DATA_DIR .* DATABASE_URL/)
  expect(() => makePrivate(join(file, 'data'))).toThrow(/a part of its path is a file/)
  const loop = join(parent, 'loop')
  symlinkSync(loop, loop)
  expect(() => makePrivate(join(loop, 'data'))).toThrow(/cannot be written: a part of its path leads/)
  if (process.platform === 'linux')
    expect(() => makePrivate('/proc/nowhere/data')).toThrow(/cannot be written: .* Set PLUMBLINE_DATA_DIR/)
})
