// `npm run demo`: goes from a fresh clone to a running service with data and keys.
import { requireBuild, requireDependencies, requireNode } from './ready.mjs'

requireNode()
requireDependencies()
requireBuild()

process.env.NODE_ENV = 'production'
process.argv.push('--demo')
await import('../server.mjs')
