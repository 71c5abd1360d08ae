import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

/** What is run after `npm ci`, by a command that installs and builds, or beside a running demonstration, whose build must stay. */
const INSTALLED = [
  ...['dev', 'build', 'start', 'start:next', 'verify', 'typecheck', 'lint', 'format', 'plumbline', 'status'],
  ...['lock', 'migrations', 'documents', 'pictures'],
]

const commands = Object.keys(scripts).filter((name) => !INSTALLED.includes(name))

test.each(commands)('npm run %s installs what a fresh clone lacks before it needs a package', (name) => {
  const [, file = ''] = /^node (scripts\/\S+\.mjs)/.exec(scripts[name] ?? '') ?? []
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/^(?:import .*?|\} )from '(.+?)'|^import '(.+?)'/gm)].map(
    ([, from, bare]) => from ?? bare,
  )
  expect(imported.filter((from) => !/^node:|^\.\/ready\.mjs$/.test(from ?? ''))).toEqual([])
  expect(text).toMatch(/^requireDependencies\(\)/m)
})
