import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectFile } from '../inspect'
import { SOURCE_FILES } from './registry'

const FOLDER = join(process.cwd(), 'public', 'samples')

test('there is a sample of each export that is recognized, and each is what it is called', async () => {
  expect([...new Set(SOURCE_FILES.map(({ sample }) => sample))].sort()).toEqual(readdirSync(FOLDER).sort())
  const taken = await Promise.all(SOURCE_FILES.map(({ sample }) => inspectFile(join(FOLDER, sample), sample)))
  expect(taken.map(({ source }) => source)).toEqual(SOURCE_FILES.map(({ source, file }) => `${source} ${file}`))
})

test.each([...new Set(SOURCE_FILES.map(({ source }) => source))])('docs/loading.md names %s', (source) => {
  expect(readFileSync('docs/loading.md', 'utf8')).toMatch(new RegExp(`^\\|[^|]*${source}`, 'm'))
})
