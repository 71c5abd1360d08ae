// `npm run demo`: goes from a fresh clone to a running service with data and keys.
import { requireBuild, requireDependencies, requireNode } from './ready.mjs'

requireNode()
requireDependencies()
// Whoever tries it has changed nothing: `npm run verify` and `npm run build` check the types.
process.env.PLUMBLINE_TYPES_CHECKED = '1'
requireBuild()

process.env.NODE_ENV = 'production'
process.argv.push('--demo')
await import('../server.mjs')
