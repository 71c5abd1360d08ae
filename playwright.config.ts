import { defineConfig } from '@playwright/test'
import type { Driver } from './e2e/running'

/** True when there is no Postgres, as on a machine outside CI; then `next start` shows all of its own over the embedded database. */
const withoutPostgres = process.env.PLUMBLINE_WITHOUT_POSTGRES === '1'

const ALL = process.env.PLUMBLINE_TEST_ALL === '1'

const specs = (names: readonly string[]) => names.map((name) => `**/${name}.spec.ts`)

/** The specs of what differs where Next listens: a place of its own for limits, sessions among instances, and addresses. */
const NEXT = ['instances', 'limits', 'mcp-sessions'] as const

/** The specs of what only a Postgres has, or where a test changes a row behind the server's back. */
const POSTGRES = [
  'confirm',
  'deployed',
  'functions',
  'instances',
  'overloaded',
  'postgres',
  'tracing',
  'workers',
] as const

/** The specs whose server has settings of its own: another worker starts for each. */
const OWN_SERVER = ['connector', 'mails', 'sso'] as const

/** The specs that take longest, each in one worker. */
const LONGEST = ['demonstration', 'file-kinds', 'portal-logs'] as const

/** The specs of what several processes share, which one process shows where there is no Postgres. */
const SEVERAL = ALL ? ['mcp-sessions'] : ['limits', 'mcp-sessions']

type Project = { entry: 'server' | 'next'; driver: Driver; testMatch?: string[]; testIgnore?: string[] }

/**
 * A behavior is shown once, at the lowest level that can show it. Both listeners run the same route files, which `contract` compares, so what pages,
 * tools and handlers do is shown through the one-machine server over the embedded database alone. `*.db.test.ts` shows what differs between
 * drivers. `next` over `vercel`, with limits in a Redis, is what runs on the platform. What takes long comes first, so that no worker waits for it
 * at the end.
 */
const PROJECTS: Project[] = [
  { entry: 'server', driver: 'pglite', testMatch: specs([...OWN_SERVER, ...LONGEST]) },
  {
    entry: 'next',
    driver: 'vercel',
    testMatch: specs([...NEXT, 'deployed', 'functions', ...(ALL ? ['overloaded'] : [])]),
  },
  {
    entry: 'server',
    driver: 'pg',
    testMatch: specs(['confirm', ...(ALL ? ['overloaded'] : []), 'postgres', 'tracing', 'workers']),
  },
  {
    entry: 'server',
    driver: 'pglite',
    testIgnore: specs([...OWN_SERVER, ...LONGEST, ...POSTGRES, ...(withoutPostgres ? [] : SEVERAL)]),
  },
]
/**
 * Faults, scanners and every page at four widths have runs of their own: `npm run test:faults`, `npm run test:security -- --tools`,
 * `npm run look`. Here each kind of page is measured by the spec of its room.
 */
const APART = process.env.LOOK_PICTURES ? /e2e.(faults|attack-tools)/ : /e2e.(faults|attack-tools)|look-\w+\.spec/

/** The judges of the service from outside: other people's clients, validators and runners, the platform's build, the guides' programs, random requests. */
const OUTSIDE = [
  'deployed',
  'fuzz',
  'guides',
  'guides-delta-sync',
  'judges',
  'mcp-clients',
  'mcp-conformance',
  'mcp-libraries',
  'mcp-oauth',
]
const projects = PROJECTS.filter(({ driver }) => driver === 'pglite' || !withoutPostgres).map(
  ({ entry, driver, testMatch, testIgnore = [] }) => ({
    name: `${entry}-${driver}`,
    use: { entry, driver },
    ...(testMatch && { testMatch }),
    testIgnore: [APART, ...(ALL ? [] : specs(OUTSIDE)), ...testIgnore],
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
  // What waits for minutes, and what judges from outside, runs with `npm run test:all`.
  ...(ALL ? {} : { grepInvert: /@slow/ }),
  forbidOnly: process.env.CI === 'true',
  // Decision 040: the report names each test that passed only then.
  retries: process.env.CI === 'true' ? 1 : 0,
  use: {
    // What moves on its own is drawn by the processor that all tests share. A test of a movement asks for it.
    contextOptions: { reducedMotion: 'reduce' },
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
