import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bootDatabase } from './boot'

vi.mock('@/lib/core/disk', async (original) => ({
  ...(await original<typeof import('@/lib/core/disk')>()),
  isDiskFull: async () => true,
}))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-boot-'))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  process.env.PLUMBLINE_DATA_DIR = join(file, 'data')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('on a full disk a setting that cannot be used is still told as such', async () => {
  await expect(bootDatabase()).rejects.toThrow(
    /cannot be written: a part of its path is a file. Set PLUMBLINE_DATA_DIR/,
  )
})
