import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { call } from '@/lib/testing/tenant'
import { startMetrics } from './start'

const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('prom-client'))

test('without METRICS_TOKEN, /metrics is 404 with or without a token, and no metrics code is loaded', async () => {
  await startMetrics()
  for (const headers of [{}, { authorization: 'Bearer guess-guess-guess' }]) {
    const { status, body } = await call('/metrics', { headers })
    expect([status, body.code]).toEqual([404, 'not_found'])
  }
  expect(loaded()).toBe(false)
  await import('./registry')
  expect(loaded()).toBe(true)
})
