import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const alias = { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') }
const include = ['{lib,db,scripts,app,bench,clients}/**/*.db.test.ts']
/** What differs between drivers: connections, transactions and streams through them. */
const ofDrivers = ['db/drivers/*.db.test.ts', 'db/fence.db.test.ts']
/** The hottest paths. Over each driver with `npm run test:all`; else end-to-end tests have them over the embedded database. */
const overDrivers = [
  'lib/http/rest/{data-api,leads}.db.test.ts',
  'db/queries/leads.db.test.ts',
  'lib/load/load.db.test.ts',
]
/** What one connection for everyone could hold up: loads between requests, and what follows a write. Over it with `npm run test:all`. */
const overOneConnection = [
  'lib/load/{revert-load,dry/dry-run}.db.test.ts',
  'lib/sync/{watch,chaos}.db.test.ts',
  'lib/mcp/mcp.db.test.ts',
]
/** The tests of what only the process that holds the embedded database does, for the commands and the demonstration. */
const ofEmbedded = ['lib/cli/{demo,backup-while-serving,terminal}.db.test.ts', 'lib/load/load-stop.db.test.ts']
const ALL = process.env.PLUMBLINE_TEST_ALL === '1'
/**
 * Who uses the service from outside: client libraries, and the planner that plays an assistant; what compares two durations or counts what a
 * statement reads; and what makes many rows, databases or roles, or kills processes, to show what happens seldom.
 */
const apart = ALL
  ? []
  : [
      'clients/**',
      'bench/eval/*.db.test.ts',
      'lib/{,knowledge/retrieval/readers/}worst-case.test.ts',
      'lib/maintenance/backup/{backup,postgres}.db.test.ts',
      'db/fence-roles.db.test.ts',
      'lib/{load,operations}/plans.db.test.ts',
      'lib/operations/sources/killed.db.test.ts',
      'lib/load/full-disk.db.test.ts',
    ]
/** What a start does once its driver has connected, which another driver shows as well. */
const ofStart = ['db/drivers/{release,migrated,unusable}.db.test.ts']
/** The tests of the embedded database's own text search, and of a server that must not serve it. */
const ofBoth = [
  'lib/knowledge/retrieval/search.db.test.ts',
  'lib/server/deployment/check.db.test.ts',
  ...(ALL
    ? ['lib/maintenance/backup/*.db.test.ts', 'lib/operations/exports/*.db.test.ts', 'lib/load/full-disk.db.test.ts']
    : []),
]
/** True when a Postgres is there: it shows everything; beside it the others show what is theirs. Without one the embedded database does. */
const hasPostgres = process.env.PLUMBLINE_WITHOUT_POSTGRES === ''
const besidePostgres: { pglite?: string[]; vercel: string[] } = {
  ...(hasPostgres
    ? { pglite: [...ofDrivers, ...(ALL ? [...overDrivers, ...overOneConnection] : []), ...ofEmbedded, ...ofBoth] }
    : {}),
  vercel: [...ofDrivers, ...(ALL ? overDrivers : [])],
}
/** Folders of measurements and of outside clients have packages of their own, with tests of theirs. */
const packages = '**/node_modules/**'
const overRedis = ['lib/**/*.redis.test.ts']
/**
 * Requests are not written down behind a test's back, nor counted elsewhere; the tests of those things turn them on. The secret is there
 * before any module is: what one file left running may read the settings first in the next one.
 */
const SETTINGS = {
  EXTERNAL_API_TOKEN_SECRET: 'a-secret-for-tests-of-32-characters',
  REQUEST_LOG_DAYS: '0',
  UPSTASH_REDIS_REST_URL: '',
  UPSTASH_REDIS_REST_TOKEN: '',
  KV_REST_API_URL: '',
  KV_REST_API_TOKEN: '',
}
/** A worker takes all of its files, one after another. What they share, and what each has of its own: lib/testing/entry.ts. */
const SHARED = { isolate: false, setupFiles: ['lib/testing/entry.ts'] }
/** The files that take longest of their kind. */
const LONGEST =
  /\/(worst-case|patterns|lock|load-stop|release|check|shared-faults|plans|killed|places|changes)\.[.\w]*test\.ts$/

/** One kind after another, as a worker has files of one kind; of each, what takes long comes first, so that no worker waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kinds = ['pg', 'vercel', 'pglite', 'redis', 'unit']
    const place = ({ project, moduleId }: TestSpecification) =>
      2 * kinds.indexOf(project.name) + (LONGEST.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** The retries: how slow a database is beside all the others is the machine's doing; `npm test` names what passed only then. */
const retry = process.env.CI === 'true' ? 1 : 0
const integration = (driver: 'pglite' | 'pg' | 'vercel') => ({
  resolve: { alias },
  test: {
    name: driver,
    include: (driver === 'pg' ? undefined : besidePostgres[driver]) ?? include,
    exclude: [
      packages,
      ...apart,
      ...(driver === 'pg' ? ofEmbedded : []),
      ...(driver === 'vercel' && !ALL ? ofStart : []),
    ],
    env: { TEST_DRIVER: driver, ...SETTINGS },
    retry,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Its package speaks to a Postgres through a WebSocket only.
    ...SHARED,
    setupFiles: [...SHARED.setupFiles, ...(driver === 'vercel' ? ['lib/testing/postgres-bridge.mjs'] : [])],
    globalSetup: ['lib/testing/database-template.ts'],
  },
})

// Unit tests need nothing but Node; `*.db.test.ts` runs over each kind of database, `*.redis.test.ts` over a real Redis.
export default defineConfig({
  test: {
    // What was transformed for one run is not transformed again for the next one.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // On a machine of two cores the runner would use one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          testTimeout: 60_000,
          // A new embedded database takes seconds where others use the machine.
          hookTimeout: 60_000,
          ...SHARED,
          env: SETTINGS,
          include: ['{lib,db,scripts,app,bench,patches,clients}/**/*.test.ts', 'middleware.test.ts'],
          exclude: [packages, ...apart, ...include, ...overRedis],
        },
      },
      integration('pglite'),
      integration('pg'),
      integration('vercel'),
      {
        resolve: { alias },
        test: {
          name: 'redis',
          env: SETTINGS,
          retry,
          include: overRedis,
          ...SHARED,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
