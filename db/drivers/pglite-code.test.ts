import { afterEach, expect, test, vi } from 'vitest'
import { compileEarly, embeddedCode } from './pglite-code'

afterEach(() => vi.unstubAllEnvs())

test('the code of the embedded database is found in the project and compiled once', async () => {
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('POSTGRES_URL', '')
  compileEarly()
  const code = await embeddedCode()
  expect(code).toBeInstanceOf(WebAssembly.Module)
  expect(await embeddedCode()).toBe(code)
})
