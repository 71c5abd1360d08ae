import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEnv } from '../lib/core/env'
import { openDatabase } from './client'

/**
 * Runs once before all tests over PGlite: an embedded database that is migrated, for each test file to begin with a copy of. To make
 * and migrate one takes ten times as long as to copy it.
 */
export default async function makeTemplate(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-template-'))
  await (await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))).close()
  process.env.TEST_PGLITE_TEMPLATE = dataDir
  return () => rmSync(dataDir, { recursive: true })
}
