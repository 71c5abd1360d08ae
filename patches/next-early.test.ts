import { afterEach, expect, test, vi } from 'vitest'
import { beginUnderNext } from './next-early'

afterEach(() => void vi.unstubAllEnvs())

test.each(['phase-production-build', 'phase-development-server', 'phase-export'])(
  'nothing begins in %s',
  async (phase) => {
    const kept = {}
    await beginUnderNext(phase, kept)
    expect(kept).toEqual({})
  },
)

test('nothing begins on Vercel, where the instrumentation does it', async () => {
  vi.stubEnv('VERCEL', '1')
  const kept = {}
  await beginUnderNext('phase-production-server', kept)
  expect(kept).toEqual({})
})
