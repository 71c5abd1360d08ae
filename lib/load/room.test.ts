import { expect, test } from 'vitest'
import { INGEST } from '@/lib/core/uploads'
import { countUnreclaimed, requireRoom } from './room'

test('dropped uploads beyond four of the largest files wait for their disk; others, and later ones, do not', () => {
  for (let i = 0; i < 3; i++) countUnreclaimed('con_a', INGEST.maxBytes, 1_000)
  requireRoom('con_a', 1_000)
  countUnreclaimed('con_a', INGEST.maxBytes, 3_601_000)
  const full = { code: 'busy', headers: { 'retry-after': String(5 * 3_600) } }
  expect(() => requireRoom('con_a', 3_601_000)).toThrow(expect.objectContaining(full))
  requireRoom('con_b', 3_601_000)
  requireRoom('con_a', 1_000 + 6 * 3_600_000)
})
