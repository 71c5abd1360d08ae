import { readdirSync, readFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import * as z from 'zod'
import * as schema from './schema'

const FOLDER = 'db/migrations/meta'
const Snapshot = z.looseObject({ id: z.string(), prevId: z.string() })
const snapshots = readdirSync(FOLDER)
  .filter((name) => name.endsWith('_snapshot.json'))
  .sort()
  .map((name) => Snapshot.parse(JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'))))

test('the snapshots of migrations follow one another, so that `npm run migrations` knows what the last one left', () => {
  expect(snapshots.slice(1).map(({ prevId }) => prevId)).toEqual(snapshots.slice(0, -1).map(({ id }) => id))
})

test('the last snapshot is of the schema as it is; otherwise run `npm run migrations`', async () => {
  const last = generateDrizzleJson({})
  Object.assign(last, snapshots.at(-1))
  expect(await generateMigration(last, generateDrizzleJson(schema))).toEqual([])
})
