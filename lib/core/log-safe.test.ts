import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { writePlaces } from '@/scripts/places'
import { atSource } from './log-safe'

const PROGRAM = `import { safeFault } from '@/lib/core/log-safe'
type Unused = { a: string }

function broken(): never {
  throw new Error('broken')
}
try {
  broken()
} catch (error) {
  console.log(JSON.stringify(safeFault(error)))
}
`

// Runs in a separate process, because the test runner reads source maps itself.
test('a fault in the bundle is logged with the file and line of its source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-map-'))
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  await build({
    absWorkingDir: folder,
    entryPoints: ['program.ts'],
    outfile: join(folder, 'dist/program.js'),
    alias: { '@': resolve('.') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writePlaces(join(folder, 'dist/program.js'))
  const { stdout } = spawnSync(process.execPath, [join(folder, 'dist/program.js')], { encoding: 'utf8' })
  expect(JSON.parse(stdout).stack.slice(0, 2)).toEqual(['at broken (program.ts:5)', 'at program.ts:8'])
  rmSync(folder, { recursive: true })
})

test('other frames, and frames without a source map, stay unchanged', () => {
  for (const frame of ['at node:internal/timers:520:11', 'at run (file:///srv/dist/gone.js:1:2)', 'at <anonymous>'])
    expect(atSource(frame)).toBe(frame)
})
