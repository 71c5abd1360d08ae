import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Files that put raw text into a statement, and how often. Each one uses names from this code (a column, a table, a count) or a
 * value whose format it checks first. A new entry must do the same.
 */
const RAW: Record<string, number> = {
  'db/queries/backup/catalog.ts': 1,
  'db/queries/backup/read.ts': 2,
  'db/queries/backup/write.ts': 2,
  'db/queries/deliveries.ts': 1,
  'db/queries/deployment.ts': 1,
  'db/queries/documents.ts': 1,
  'db/queries/job-runs.ts': 2,
  'db/queries/leads.ts': 1,
  'db/queries/load-ids.ts': 1,
  'db/queries/load-preview.ts': 2,
  'db/queries/load.ts': 1,
  'db/queries/mcp-sessions.ts': 1,
  'db/queries/month-amounts.ts': 8,
  'db/queries/overview.ts': 1,
  'db/queries/permits/load.ts': 1,
  'db/queries/retention.ts': 5,
  'db/queries/upsert.ts': 3,
  'db/queries/usage.ts': 1,
  'db/queries/webhook-vouchers.ts': 1,
  'db/schema/permits.ts': 1,
  'lib/testing/plans.ts': 1,
}

test('text is passed to SQL as a parameter; files with exceptions are listed here', () => {
  const files = ['db', 'lib', 'app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const found = files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(file, 'utf8').split('sql.raw(').length - 1] as const)
    .filter(([, times]) => times > 0)
  expect(Object.fromEntries(found)).toEqual(RAW)
})
