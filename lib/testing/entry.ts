import { afterAll, vi } from 'vitest'

// Files run one after another in the process of their worker, and share what comes from packages, which takes long to load. Our own
// modules are loaded again for each file, and what a file changes about the process is changed back after it.
const variables = { ...process.env }
vi.resetModules()
const { forgetRuntime } = await import('./runtime')
forgetRuntime()
process.setMaxListeners(0)

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
})
