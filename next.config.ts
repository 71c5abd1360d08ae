import type { NextConfig } from 'next'
import { commitOf } from './scripts/commit'

// Next reports each build to its maker, unless it is told not to before it begins.
process.env.NEXT_TELEMETRY_DISABLED = '1'

/** True when a Postgres is configured: then packaged functions leave out the embedded database, which is most of their size. */
const hasPostgres = Boolean(process.env.DATABASE_URL || process.env.POSTGRES_URL)

const config: NextConfig = {
  poweredByHeader: false,
  // Written into the compiled files (lib/core/service.ts). Whoever starts them does not ask again.
  env: process.argv.includes('build') ? { PLUMBLINE_COMMIT: commitOf(process.cwd()) } : {},
  // No page has an image to scale, so nobody can have one scaled.
  images: { unoptimized: true },
  reactStrictMode: true,
  experimental: {
    // A drawing is a file of its own; without this a page in development compiles the four thousand.
    optimizePackageImports: ['lucide'],
    // A page that the user's role may not open answers 403.
    authInterrupts: true,
    // Pages and routes are loaded by their first request. Loading all of them comes before the first one that is answered.
    preloadEntriesOnStart: false,
    // What is kept for the next build takes a fifth of the time of this one, and a fresh clone's tests build once.
    turbopackFileSystemCacheForBuild: process.env.PLUMBLINE_BUILD_ONCE !== '1',
  },
  // A slash at the end of an API path is answered by the middleware, not redirected.
  skipTrailingSlashRedirect: true,
  // Native and WASM packages are loaded from node_modules, once per process; so is the reader of PDF, which would be bundled three times.
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@vercel/postgres',
    'pg',
    'pino',
    'prom-client',
    'unpdf',
    'ssh2',
    '@opentelemetry/api',
    '@vercel/otel',
  ],
  // `npm test` checks the same types itself.
  typescript: { ignoreBuildErrors: process.env.PLUMBLINE_TYPES_CHECKED === '1' },
  // The console validates nothing against schemas; the SDK's validator would be a third of what a visitor loads, and it writes code.
  turbopack: {
    resolveAlias: {
      ajv: { browser: './patches/no-validator.ts' },
      'ajv-formats': { browser: './patches/no-validator.ts' },
    },
  },
  // Packed because a name near them is only known at run time, and never read by a function.
  outputFileTracingExcludes: {
    '/*': [
      './dist/thread.js*',
      './e2e/**/*',
      './package-lock.json',
      './node_modules/*/test/**/*',
      ...(hasPostgres ? ['./node_modules/@electric-sql/pglite/**/*'] : []),
    ],
  },
  // Read at run time, so the tracer that packs the functions cannot see them.
  outputFileTracingIncludes: {
    '/*': [
      './db/functions/**/*',
      './db/migrations/*.sql',
      './db/migrations/meta/_journal.json',
      './docs/*.md',
      './docs/guides/*.md',
      './dist/views/*.html',
    ],
  },
}

export default config
