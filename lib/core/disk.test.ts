import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isDiskFull } from './disk'

test('a disk counts as full below the limit, even for a directory that does not exist yet', async () => {
  const missing = join(tmpdir(), 'plumbline-missing', 'deeper')
  for (const directory of [tmpdir(), missing]) {
    expect(await isDiskFull(directory, Number.POSITIVE_INFINITY)).toBe(true)
    expect(await isDiskFull(directory, 0)).toBe(false)
  }
})

test.runIf(process.platform === 'linux')('a file system that stores nothing is not full', async () => {
  expect(await isDiskFull('/proc/nowhere')).toBe(false)
})
