import { defineConfig } from '@playwright/test'

/**
 * Tests what the service promises when something fails (docs/faults.md). They run one at a time, because each breaks or fills up
 * something on the machine.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../artifacts/faults',
  timeout: 300_000,
  workers: 1,
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
})
