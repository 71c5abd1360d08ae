import { resolve } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  turbopack: { root: resolve(import.meta.dirname, '../../..') },
  // The project's own check covers its types.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@electric-sql/pglite', 'pg', 'ssh2'],
}
export default config
