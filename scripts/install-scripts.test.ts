import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string) => JSON.parse(readFileSync(name, 'utf8'))

/** Packages that run something when they are installed, read one by one: they build or fetch their own binary, or print a line. */
const READ = [
  '@tree-sitter-grammars/tree-sitter-yaml',
  'bufferutil',
  'core-js-pure',
  'cpu-features',
  'esbuild',
  'ssh2',
  'tree-sitter',
  'tree-sitter-json',
]

/** Reports each installation to its maker, unless the package.json at the top says no. */
const REPORTS = '@scarf/scarf'

test('what runs on installation was read, and what would report the installation to somebody is off', () => {
  const packages: [string, { hasInstallScript?: boolean }][] = Object.entries(read('package-lock.json').packages)
  const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const names = new Set(running.map(([path]) => path.split('node_modules/').at(-1) ?? ''))
  expect([...names].sort()).toEqual([...READ, REPORTS].sort())
  expect(read('package.json').scarfSettings).toEqual({ enabled: false })
})
