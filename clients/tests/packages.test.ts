import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { clientTypes, GENERATOR, TYPES } from '@/scripts/client-types'
import { VERSION } from '../typescript/src/version'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-packages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const textOf = (path: string) => readFileSync(path, 'utf8')
/** The version that a changelog begins with. */
const newestIn = (path: string) => /^## (\S+), \d{4}-\d\d-\d\d$/m.exec(textOf(path))?.[1]

const Package = z.object({
  version: z.string(),
  dependencies: z.undefined().optional(),
  license: z.literal('UNLICENSED'),
})
const Packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }))

test('the TypeScript client packs without a network, with types and nothing of ours beside it', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--offline', '--json', '--pack-destination', folder], {
    cwd: 'clients/typescript',
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const [packed] = Packed.parse(JSON.parse(stdout.slice(stdout.indexOf('['))))
  expect(existsSync(join(folder, packed?.filename ?? ''))).toBe(true)
  const paths = packed?.files.map(({ path }) => path) ?? []
  expect(paths).toEqual(
    expect.arrayContaining(['README.md', 'CHANGELOG.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  )
  expect(paths.filter((path) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(path)).sort()).toEqual([
    'CHANGELOG.md',
    'README.md',
    'package.json',
  ])
}, 60_000)

test('its version is the same everywhere, and nothing is installed with it', () => {
  const { version } = Package.parse(JSON.parse(textOf('clients/typescript/package.json')))
  expect([version, newestIn('clients/typescript/CHANGELOG.md')]).toEqual([VERSION, VERSION])
  expect(textOf('clients/typescript/README.md')).toContain(`plumbline-client-${VERSION}.tgz`)
})

// `npm test` installs the generator, and so does `npm ci` in e2e/judges.
test.skipIf(!existsSync(GENERATOR) && process.env.CI !== 'true')(
  'its types are those of the API description; otherwise run `npm run types` in clients/typescript',
  () => {
    expect(textOf(TYPES)).toBe(clientTypes())
  },
  60_000,
)
