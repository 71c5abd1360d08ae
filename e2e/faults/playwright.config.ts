import { defineConfig } from '@playwright/test'

/** What is promised when something fails (docs/faults.md): one thing at a time, as each of them breaks or fills up a machine. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../artifacts/faults',
  timeout: 300_000,
  workers: 1,
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
})
