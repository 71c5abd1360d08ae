import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A slash at the end of an API path is answered by the middleware, not redirected.
  skipTrailingSlashRedirect: true,
  // Native and WASM packages are loaded from node_modules, once per process, shared with server.ts.
  serverExternalPackages: ['@electric-sql/pglite', 'pg'],
  // Read at run time, so the tracer that packs the functions cannot see them.
  outputFileTracingIncludes: { '/*': ['./db/migrations/**/*'] },
}

export default config
