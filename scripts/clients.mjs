// `npm run test:clients`: every MCP client and library of e2e/clients, also the frameworks that `npm test` leaves out because
// installing them takes longer than all tests of clients.
import { spawnSync } from 'node:child_process'
import { provideDependencies, requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

requireNode()
requireDependencies()
await Promise.all(['e2e/clients', 'e2e/clients/frameworks'].map(provideDependencies))
requireBuild()
const { requireBrowser } = await import('./services.mjs')
const browser = requireBrowser()

const args = ['playwright', 'test', 'mcp-clients', 'mcp-libraries', 'mcp-conformance', '--project=server-pglite']
const { status } = spawnSync('npx', ['--no-install', ...args, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, PLUMBLINE_FRAMEWORKS: '1', ...(browser ? { CHROMIUM_PATH: browser } : {}) },
})
process.exit(status ?? 1)
