import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { resources } from '@/lib/resources/registry'
import { openTestDatabase } from '@/lib/testing/database'
import type { Database } from '../client'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('two copies of the queries in one process, as in the server and Next, share a connection', async () => {
  const { customers, projects, invoices, payments } = resources
  const ask = async (first: 'list' | 'newest') => {
    // A second copy of the module, which serves another resource first.
    vi.resetModules()
    const { listPage } = await import('./list')
    const { listNewest } = await import('./neighbours')
    const page = { contractorId: 'con_none', limit: 5, after: undefined, filters: [] }
    const near = { contractorId: 'con_none', of: 'project_id', id: 'prj_none', by: 'created_at', limit: 5 }
    const [one, other] = first === 'list' ? [customers, projects] : [projects, customers]
    const [some, rest] = first === 'list' ? [invoices, payments] : [payments, invoices]
    for (const { source } of [one, other]) expect((await listPage(db, source, page)).items).toBe('[]')
    for (const { source } of [some, rest]) expect((await listNewest(db, source, near)).items).toBe('[]')
  }
  await ask('list')
  await ask('newest')
})
