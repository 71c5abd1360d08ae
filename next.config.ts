import type { NextConfig } from 'next'
import { begun } from './lib/core/begun'
import { beginUnderNext } from './patches/next-early'

/** Where a Postgres is configured, packaged functions leave out the embedded database, which is most of their size. */
const hasPostgres = Boolean(process.env.DATABASE_URL || process.env.POSTGRES_URL)

export const config: NextConfig = {
  poweredByHeader: false,
  // No page has an image to scale, so nobody can have one scaled.
  images: { unoptimized: true },
  reactStrictMode: true,
  experimental: {
    // A page that the user's role may not open answers 403.
    authInterrupts: true,
    // Pages and routes are loaded by their first request. Loading all of them comes before the first one that is answered.
    preloadEntriesOnStart: false,
    // What is kept for the next build takes a fifth of the time of this one, and a fresh clone's tests build once.
    turbopackFileSystemCacheForBuild: process.env.PLUMBLINE_BUILD_ONCE !== '1',
  },
  // A slash at the end of an API path is answered by the middleware, not redirected.
  skipTrailingSlashRedirect: true,
  // Native and WASM packages are loaded from node_modules, once per process, shared with server.ts; so is the reader of PDF, which would
  // be bundled three times.
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
      './dist/{cli,server,thread}.js*',
      './dist/chunks/**/*',
      './e2e/**/*',
      './package-lock.json',
      './node_modules/*/test/**/*',
      ...(hasPostgres ? ['./node_modules/@electric-sql/pglite/**/*'] : []),
    ],
  },
  // Read at run time, so the tracer that packs the functions cannot see them.
  outputFileTracingIncludes: {
    '/*': [
      './db/migrations/*.sql',
      './db/migrations/meta/_journal.json',
      './docs/*.md',
      './docs/guides/*.md',
      './docs/guide-edits.json',
      './dist/views/*.html',
    ],
  },
}

/** Next asks for this with what it is about to do, and prepares its own server once the API answers. */
export default async function configFor(phase: string): Promise<NextConfig> {
  await beginUnderNext(phase, begun())
  return config
}
