import { expect, test } from 'vitest'
import { loadEnv } from '../../lib/core/env'
import { createTestPostgres } from '../testing'
import { lockLoads } from './load-lock'

test.runIf(process.env.TEST_DRIVER === 'pg')(
  'a contractor has one load at a time over all processes; other contractors can load meanwhile',
  async () => {
    const { url, drop } = await createTestPostgres()
    const settings = loadEnv({ DATABASE_URL: url })
    const first = await lockLoads(settings, 'con_a')
    expect(await lockLoads(settings, 'con_a')).toBeUndefined()
    const other = await lockLoads(settings, 'con_b')
    expect(other).toBeDefined()
    await first?.()
    const next = await lockLoads(settings, 'con_a')
    expect(next).toBeDefined()
    await Promise.all([next?.(), other?.()])
    await drop()
  },
)

test('the embedded database needs no lock, because only one process opens it', async () => {
  const settings = loadEnv({})
  expect(await lockLoads(settings, 'con_a')).toBeDefined()
  expect(await lockLoads(settings, 'con_a')).toBeDefined()
})
