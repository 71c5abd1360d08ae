import { defineConfig } from '@playwright/test'

/** Separately installed scanners (sqlmap, wapiti) attack each entry: npm run test:security -- --tools. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../templates.ts',
  outputDir: '../../artifacts/attack-tools',
  timeout: 900_000,
  workers: 1,
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
  projects: [
    { name: 'server-pglite', use: { entry: 'server', driver: 'pglite' } as object },
    { name: 'next-pglite', use: { entry: 'next', driver: 'pglite' } as object },
  ],
})
