import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, withinContractor } from '@/db/client'
import type { Resource } from '@/lib/resources/define'
import { estimates } from '@/lib/resources/estimates'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { fileKind } from '../kinds'
import { storedBooks } from './books'
import { plainWriter } from './plain'
import { Verdicts } from './verdicts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

// As a file of estimates would be that names no customer.
const [first, ...others] = estimates.csv.columns
const resource: Resource = {
  ...estimates,
  csv: { ...estimates.csv, columns: [first, ...others.filter(({ field }) => field !== 'customer')] },
}

test('a record whose file names its project alone has the project’s customer, and follows it to another one', async () => {
  const { contractor, load } = await makeTenant(db)
  await load({
    'customers.csv': 'Customer ID,Name\nC1,Ana\nC2,Ben\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof\nP2,C2,Deck\n',
  })
  const write = (project: string) =>
    withinContractor(db.orm, contractor.id, async (orm) => {
      const values = { reference: 'E1', number: 'E1', project, amount: '10.00', date: '2026-01-05T00:00:00.000Z' }
      const row = { line: 2, values, faults: [], malformed: false }
      const context = {
        books: storedBooks(orm, contractor.id),
        fields: Object.keys(values),
        verdicts: new Verdicts(fileKind(resource)),
        contractor: { id: contractor.id, currency: 'USD', timezone: 'UTC' },
        unissued: new Set<string>(),
        named: new Map<string, string[]>(),
        kept: new Set<string>(),
      }
      await plainWriter(resource)(context, [row])
      return await rows<{ customer: string }>(
        orm,
        sql`select u.source_reference as customer from estimates e join users u on u.id = e.customer_id where e.contractor_id = ${contractor.id}`,
      )
    })
  expect(await write('P1')).toEqual([{ customer: 'C1' }])
  expect(await write('P2')).toEqual([{ customer: 'C2' }])
})
