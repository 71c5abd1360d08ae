import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { clientTypes, GENERATOR, TYPES } from '@/scripts/client-types'
import { VERSION } from '../typescript/src/version'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython && process.env.CI === 'true') throw new Error('The Python client is built here: apt-get install python3')

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
  for (const path of ['clients/typescript/README.md', 'docs/guides/delta-sync.md'])
    expect(textOf(path), path).toContain(`plumbline-client-${VERSION}.tgz`)
})

// `npm run test:all` installs the generator, and so does `npm ci` in e2e/judges.
test.skipIf(!existsSync(GENERATOR) && process.env.PLUMBLINE_TEST_ALL !== '1')(
  'its types are those of the API description; otherwise run `npm run types` in clients/typescript',
  () => {
    expect(textOf(TYPES)).toBe(clientTypes())
  },
  60_000,
)

/** Reads a wheel as an installer does: every file has the size and hash that RECORD names, and is named there. */
const CHECK = `
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(wheel.read(record).decode()))}
assert set(rows) == set(wheel.namelist()), "RECORD and files differ"
for name, (digest, size) in rows.items():
    content = wheel.read(name)
    made = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    assert name == record or (digest, size) == (made, str(len(content))), name
sys.path.insert(0, sys.argv[1])
import plumbline
print(plumbline.__version__, plumbline.__file__.startswith(sys.argv[1]), "plumbline/py.typed" in rows)`

test.skipIf(!hasPython)(
  'the Python client builds with the standard library to a wheel whose record is right, the same twice',
  () => {
    const build = () => {
      const ran = spawnSync('python3', ['-I', 'clients/python/build_wheel.py', folder], { encoding: 'utf8' })
      expect(ran.status, ran.stderr).toBe(0)
      return ran.stdout.trim()
    }
    const path = build()
    const first = readFileSync(path)
    expect(readFileSync(build()).equals(first)).toBe(true)
    const checked = spawnSync('python3', ['-I', '-c', CHECK, path], { encoding: 'utf8' })
    expect(checked.status, checked.stderr).toBe(0)
    const version = newestIn('clients/python/CHANGELOG.md')
    expect(checked.stdout.trim()).toBe(`${version} True True`)
    expect(textOf('clients/python/README.md')).toContain(`plumbline-${version}-py3-none-any.whl`)
    expect(textOf('docs/guides/delta-sync.md')).toContain(`plumbline-${version}-py3-none-any.whl`)
  },
)

// A machine without pip shows the rest; installing is what pip adds.
const hasPip = hasPython && spawnSync('python3', ['-m', 'pip', '--version']).status === 0
test.skipIf(!hasPip)(
  'pip installs it from its folder without a network',
  () => {
    const target = join(folder, 'installed')
    const source = join(folder, 'source')
    cpSync('clients/python', source, { recursive: true })
    const args = [
      '-m',
      'pip',
      'install',
      '-q',
      '--no-index',
      '--no-build-isolation',
      '--root-user-action',
      'ignore',
      '--target',
      target,
      source,
    ]
    const { status, stderr } = spawnSync('python3', args, { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(existsSync(join(target, 'plumbline/py.typed'))).toBe(true)
  },
  60_000,
)
