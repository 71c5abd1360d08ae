import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { createTestPostgres, dropWithCopies, reaching } from '@/lib/testing/database'

/** Creates a migrated embedded database for test files to copy. */
async function makeEmbedded(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-template-'))
  await (await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))).close()
  process.env.TEST_PGLITE_TEMPLATE = dataDir
  return () => rmSync(dataDir, { recursive: true })
}

/** Creates a migrated database in Postgres for test files to copy; one for both of its drivers where they run together. */
async function makePostgres(): Promise<() => void | Promise<void>> {
  if (process.env.TEST_POSTGRES_TEMPLATE) return () => {}
  const { name, url } = await createTestPostgres()
  await (await openDatabase(loadEnv(reaching('pg', url)))).close()
  process.env.TEST_POSTGRES_TEMPLATE = name
  return () => dropWithCopies(name)
}

/** Runs once before all tests of a driver. Creating and migrating a database takes ten times as long as copying one. */
export default function makeTemplate({ name }: Pick<TestProject, 'name'>): Promise<() => void | Promise<void>> {
  return name === 'pglite' ? makeEmbedded() : makePostgres()
}
