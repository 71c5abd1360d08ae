import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { forgetRuntime } from '@/lib/testing/runtime'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
  forgetRuntime()
})

const example = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
/** Secrets; not RATE_LIMIT_KEY, which is a number. */
const NAMES = new Set(example.match(/\b(?!RATE_LIMIT_)[A-Z_]+_(SECRET(_PREVIOUS)?|TOKEN|KEY)\b/g))
/** Other variables that a secret needs to take effect. */
const BESIDE: Record<string, string> = {
  UPSTASH_REDIS_REST_TOKEN: 'UPSTASH_REDIS_REST_URL',
  KV_REST_API_TOKEN: 'KV_REST_API_URL',
  EMBEDDINGS_API_KEY: 'EMBEDDINGS_URL',
}

test('the settings list the secrets that this test searches for', () => {
  expect([...NAMES]).toEqual(
    expect.arrayContaining(['CRON_SECRET', 'METRICS_TOKEN', 'BETTER_AUTH_SECRET', ...Object.keys(BESIDE)]),
  )
})

test.each([...NAMES])('%s is in no log', async (name) => {
  const secret = `of ${name} and long enough for every one of them`
  for (const other of ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN', 'KV_REST_API_URL', 'KV_REST_API_TOKEN'])
    vi.stubEnv(other, '')
  vi.stubEnv(name, secret)
  const beside = BESIDE[name]
  if (beside) vi.stubEnv(beside, 'https://elsewhere.example')
  const { safeText } = await import('./log-safe')
  expect(safeText(`it said "${secret}" and went`)).toBe('it said "[removed]" and went')
})
