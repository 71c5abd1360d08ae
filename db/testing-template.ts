import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEnv } from '../lib/core/env'
import { openDatabase } from './client'

/**
 * Runs once before all PGlite tests: creates a migrated embedded database that each test file copies. Creating and migrating one
 * takes ten times as long as copying it.
 */
export default async function makeTemplate(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-template-'))
  await (await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))).close()
  process.env.TEST_PGLITE_TEMPLATE = dataDir
  return () => rmSync(dataDir, { recursive: true })
}
