import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const alias = { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') }
const include = ['{lib,db,scripts,app}/**/*.db.test.ts']
const integration = (driver: 'pglite' | 'pg') => ({
  resolve: { alias },
  test: { name: driver, include, env: { TEST_DRIVER: driver }, testTimeout: 60_000, hookTimeout: 60_000 },
})

// Unit tests need nothing but Node; `*.db.test.ts` runs once over each driver.
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: { name: 'unit', include: ['{lib,db,scripts,app}/**/*.test.ts', 'middleware.test.ts'], exclude: include },
      },
      integration('pglite'),
      integration('pg'),
    ],
  },
})
