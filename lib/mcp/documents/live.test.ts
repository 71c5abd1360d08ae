import { afterEach, expect, test, vi } from 'vitest'
import { countActiveSessions } from '@/db/queries/mcp-sessions'
import { checkHealth } from '@/lib/operations/health'
import { liveState } from './live'

vi.mock('@/db/client', async (original) => ({
  ...(await original<typeof import('@/db/client')>()),
  patiently: (work: (orm: undefined) => unknown) => work(undefined),
}))
vi.mock('@/db/queries/mcp-sessions', () => ({ countActiveSessions: vi.fn() }))
vi.mock('@/lib/operations/health', () => ({ checkHealth: vi.fn() }))

const health = (status: 'healthy' | 'degraded') => Object({ status, uptime_seconds: 7 })

let clock = 0
vi.spyOn(performance, 'now').mockImplementation(() => clock)
afterEach(() => {
  clock += 60_000
  vi.mocked(checkHealth).mockReset()
  vi.mocked(countActiveSessions).mockReset()
})

test('looked at once in ten seconds, however many ask', async () => {
  vi.mocked(checkHealth).mockResolvedValue(health('healthy'))
  vi.mocked(countActiveSessions).mockResolvedValue(3)
  const wanted = { status: 'healthy', uptimeSeconds: 7, activeSessions: 3 }
  expect(await Promise.all([liveState(), liveState()])).toEqual([wanted, wanted])
  clock += 9_999
  await liveState()
  expect(countActiveSessions).toHaveBeenCalledTimes(1)
  clock += 1
  await liveState()
  expect(countActiveSessions).toHaveBeenCalledTimes(2)
})

test('a count that fails is none; a database that does not answer is not asked for one', async () => {
  vi.mocked(checkHealth).mockResolvedValue(health('healthy'))
  vi.mocked(countActiveSessions).mockRejectedValue(new Error('gone'))
  expect(await liveState()).toMatchObject({ status: 'healthy', activeSessions: 0 })
  clock += 60_000
  vi.mocked(checkHealth).mockResolvedValue(health('degraded'))
  expect(await liveState()).toMatchObject({ status: 'degraded', activeSessions: 0 })
  expect(countActiveSessions).toHaveBeenCalledTimes(1)
})
