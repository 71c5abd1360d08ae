import { defineConfig } from '@playwright/test'
import type { Driver } from './e2e/running'

/** Every test runs through both entries; over both databases, unless there is no Postgres outside CI. */
const withoutPostgres = process.env.PLUMBLINE_WITHOUT_POSTGRES === '1'

/**
 * Specs that say nothing about a project: what `server.ts` does of itself, what only one of the databases has, the judges of the one document, the runner of the protocol.
 */
function elsewhere(entry: string, driver: string): RegExp[] {
  const ofServer = entry === 'server' ? [] : [/(start-and-stop|judges|workers|tracing)\.spec/]
  // What is done in a browser, and what is settled before a database is asked, is the same over both databases: each entry shows it
  // once, each over another.
  const ofPages =
    (entry === 'server') === (driver === 'pglite')
      ? []
      : [/(portal-|console|mcp-clients|mcp-gate|documents|front)[\w-]*\.spec/, /\/limits\.spec/]
  // How a page looks, and what it shows, is the same through both entries too; uploads, forms and cookies pass each of them once.
  const ofLooks =
    entry === 'server' && driver === 'pglite'
      ? []
      : [
          /(look|components|explorer|guides|pages)[\w-]*\.spec/,
          /portal-(keys|keys-look|leads|logs|passkeys|invitations|home|tasks)\.spec/,
        ]
  // Starting and ending is the process's own; what is traced of a statement is the driver's.
  const ofStarts = driver === 'pglite' ? [/tracing\.spec/] : [/start-and-stop\.spec/]
  return [
    // Faults and scanners have runs of their own: npm run test:faults, npm run test:security -- --tools.
    /e2e.(faults|attack-tools)/,
    ...ofServer,
    ...ofPages,
    ...ofLooks,
    ...ofStarts,
    driver === 'pglite' ? /(postgres|workers)\.spec/ : /(embedded|judges|mcp-conformance|shared-limits)\.spec/,
    ...(driver === 'vercel' ? [] : [/instances\.spec/]),
  ]
}

/** Each entry, each driver, each store of limits: the last is what runs on the platform. */
const PROJECTS: { entry: 'server' | 'next'; driver: Driver }[] = [
  { entry: 'server', driver: 'pglite' },
  { entry: 'server', driver: 'pg' },
  { entry: 'next', driver: 'pglite' },
  { entry: 'next', driver: 'vercel' },
]
const projects = PROJECTS.filter(({ driver }) => driver === 'pglite' || !withoutPostgres).map((use) => ({
  name: `${use.entry}-${use.driver}`,
  use,
  testIgnore: elsewhere(use.entry, use.driver),
}))

export default defineConfig<{ entry: 'server' | 'next'; driver: Driver }>({
  testDir: 'e2e',
  globalSetup: './e2e/templates.ts',
  outputDir: 'artifacts/e2e',
  // Generous: what is waited for is certain to come, however busy the machine is.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Tests wait for pages and clocks about a third of their time, so two cores take three.
  workers: 3,
  forbidOnly: process.env.CI === 'true',
  use: {
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects,
})
