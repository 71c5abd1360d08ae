import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Patch } from './patch'

const root = join(import.meta.dirname, '..')
const files = readdirSync(import.meta.dirname).filter((name) => !/^patch\.ts$|\.test\.ts$/.test(name))
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

test('there are patches to hold', () => expect(files.length).toBeGreaterThan(0))

test.each(files)('%s: the version it was written for is installed, and no other can be', async (file) => {
  const { PATCH }: { PATCH: Patch } = await import(join(import.meta.dirname, file))
  const moved = `${PATCH.package} has moved: read again what patches/${file} replaces (${PATCH.upstream}). Remove it when: ${PATCH.removeWhen}`
  expect(read(`node_modules/${PATCH.package}/package.json`).version, moved).toBe(PATCH.version)
  expect(read('package.json').dependencies[PATCH.package], 'package.json names exactly this version').toBe(
    PATCH.version,
  )
  expect(read('package-lock.json').packages[`node_modules/${PATCH.package}`].version, moved).toBe(PATCH.version)
})
