import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectFile } from '../inspect'
import { SOURCE_FILES } from './registry'
import { SAMPLES } from './samples'

const FOLDER = join(process.cwd(), 'public', 'samples')

test('there is a sample of each export that is recognized, and each is what it is called', async () => {
  expect(SAMPLES.map(({ file }) => file).sort()).toEqual(readdirSync(FOLDER).sort())
  const taken = await Promise.all(SAMPLES.map(({ file }) => inspectFile(join(FOLDER, file), file)))
  expect(taken.map(({ source }) => source)).toEqual(SAMPLES.map(({ source }) => source))
  expect(new Set(SOURCE_FILES.map(({ source, file }) => `${source} ${file}`))).toEqual(
    new Set(SAMPLES.map(({ source }) => source)),
  )
})
