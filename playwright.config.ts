import { defineConfig } from '@playwright/test'
import type { Driver } from './e2e/running'

/** Outside CI a machine may have no Postgres; then `next start` shows all of its own over the embedded database. */
const withoutPostgres = process.env.PLUMBLINE_WITHOUT_POSTGRES === '1'

const specs = (names: readonly string[]) => names.map((name) => `**/${name}.spec.ts`)

/** What each entry does itself: how requests are read and routed, limits, forms, uploads, more than one process, and the log at a stop. */
const EACH_ENTRY = [
  'api',
  'documents',
  'forms',
  'front',
  'leads',
  'limits',
  'loads',
  'mcp-gate',
  'mcp-sessions',
  'oauth',
  'request-log',
] as const

/** What the process that holds the embedded database does for others. */
const EMBEDDED = ['cli', 'embedded'] as const

/** Of these, what `next start` does itself when our front answers the API: the rest is what `server.ts` runs too. */
const FRONTED = ['front', 'request-log'] as const

/** What only a Postgres has. */
const POSTGRES = ['functions', 'instances', 'postgres', 'tracing', 'workers'] as const

type Project = { entry: 'server' | 'next'; driver: Driver; testMatch?: string[]; testIgnore?: string[] }

/**
 * A behavior is shown once, at the lowest level that can show it: what pages, tools and handlers do is the same through both entries
 * and over all drivers, so it is shown through `server.ts` over the embedded database alone. `*.db.test.ts` shows what differs
 * between drivers. `next` over `vercel`, with limits in a Redis and Next's routes, is what runs on the platform.
 */
const PROJECTS: Project[] = [
  { entry: 'server', driver: 'pglite', testIgnore: specs(POSTGRES) },
  { entry: 'server', driver: 'pg', testMatch: specs(['postgres', 'tracing', 'workers']) },
  { entry: 'next', driver: 'pglite', testMatch: specs([...EMBEDDED, ...(withoutPostgres ? EACH_ENTRY : FRONTED)]) },
  { entry: 'next', driver: 'vercel', testMatch: specs([...EACH_ENTRY, 'functions', 'instances', 'postgres']) },
]
/**
 * Faults, scanners and every page at four widths have runs of their own: `npm run test:faults`, `npm run test:security -- --tools`,
 * `npm run look`. Here each kind of page is measured by the spec of its room.
 */
const APART = process.env.LOOK_PICTURES ? /e2e.(faults|attack-tools)/ : /e2e.(faults|attack-tools)|look-\w+\.spec/
const projects = PROJECTS.filter(({ driver }) => driver === 'pglite' || !withoutPostgres).map(
  ({ entry, driver, testMatch, testIgnore = [] }) => ({
    name: `${entry}-${driver}`,
    use: { entry, driver },
    ...(testMatch && { testMatch }),
    testIgnore: [APART, ...testIgnore],
  }),
)

export default defineConfig<{ entry: 'server' | 'next'; driver: Driver }>({
  testDir: 'e2e',
  globalSetup: './e2e/templates.ts',
  outputDir: 'artifacts/e2e',
  // Generous: what is waited for is certain to come, however busy the machine is.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Tests wait for pages, processes and clocks about half of their time, so two cores take four.
  workers: 4,
  forbidOnly: process.env.CI === 'true',
  // Decision 109: the report names each test that passed only then.
  retries: process.env.CI === 'true' ? 1 : 0,
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
