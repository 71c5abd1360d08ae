import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type LockFile, missingEntries } from './lock-platforms'

const read = (folder: string): LockFile => JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'))

const FOLDERS = ['.', 'bench', 'bench/lighthouse', 'e2e/judges', 'e2e/clients', 'e2e/clients/frameworks']

describe('the lock files', () => {
  test.each(FOLDERS)('%s names the optional packages of every platform', (folder) => {
    expect(missingEntries(read(folder))).toEqual({})
  })

  test.each(FOLDERS)('%s takes every package from the registry, none from a folder', (folder) => {
    const linked = Object.entries(read(folder).packages).filter(([path, entry]) => path !== '' && 'link' in entry)
    expect(linked).toEqual([])
  })

  test('an optional package that was not seen while locking is found missing, with its platform', () => {
    const lock = read('.')
    const swc = 'node_modules/@next/swc-linux-x64-musl'
    const { [swc]: entry, ...rest } = lock.packages
    expect(missingEntries({ packages: rest })).toEqual({
      [swc]: { version: entry?.version, os: ['linux'], cpu: ['x64'], libc: ['musl'], optional: true },
    })
  })

  test('a range is refused, because only an exact version can be locked without the registry', () => {
    const packages = { '': { optionalDependencies: { fsevents: '^2.3.0' } } }
    expect(() => missingEntries({ packages })).toThrow('not an exact version')
  })
})
