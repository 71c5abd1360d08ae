import { resolve } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  turbopack: { root: resolve(import.meta.dirname, '../../..') },
  serverExternalPackages: ['@electric-sql/pglite', 'pg'],
}
export default config
