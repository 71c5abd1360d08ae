import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { shared } from '@/lib/core/shared'
import { forgetRuntime } from './runtime'

// Files run one after another in the process of their worker and share all modules, which take long to load: what our modules keep is in
// the runtime, and each file begins with a new one, which ends with it, streams and timers included. What a file changes about the process
// is changed back after it. A file that replaces modules gets its own copies of ours, and so does the next one. What an earlier file left running
// may have read the settings before this file has set its own, so its tests begin with yet another runtime.
const replacesModules = /\bvi\.(mock|doMock|resetModules)\(/.test(
  readFileSync(expect.getState().testPath ?? '', 'utf8'),
)
const variables = { ...process.env }
if (replacesModules) vi.resetModules()
const end = new AbortController()
function begin(): void {
  forgetRuntime()
  shared<AbortSignal>('stopSignal', () => end.signal)()
}
begin()
process.setMaxListeners(0)

beforeAll(begin)

afterAll(() => {
  end.abort()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
  if (replacesModules) vi.resetModules()
})
