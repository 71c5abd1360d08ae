import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows } from '@/db/client'
import { ProofNeeded } from '@/lib/auth/require'
import { runConnectors } from '@/lib/connectors/due'
import { deliverMails, makeMember, openPeopleDatabase, useMailServer } from '@/lib/testing/people'
import { useServer } from '@/lib/testing/quickbooks/connection'
import { TestQuickBooks } from '@/lib/testing/quickbooks/server'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { getLastLoad, undoLoad } from '../loads/undo-load'
import { beginConnector, finishConnector } from './connect'
import { getConnector } from './get-connector'
import { disconnectConnector } from './manage'
import { removeConnectorRecords } from './remove-records'

const NAME = { connector: 'quickbooks' } as const

let db: Database
let server: TestQuickBooks
let realms = 7_000
beforeAll(async () => {
  server = await TestQuickBooks.start()
  useServer(server)
  db = await openPeopleDatabase()
})
afterAll(async () => {
  await server.stop()
  await db.close()
  vi.unstubAllEnvs()
})

/** A contractor with an administrator who connects companies, each with an invoice, a payment and an unapplied one. */
async function makeOffice() {
  const { contractor, load } = await makeTenant(db)
  const actor = await makeMember(db, contractor.id)
  const ctx = () => ({ actor, now: new Date() })
  await db.orm.execute(sql`update connectors set state = 'disconnected'`)
  const company = (name: string) => {
    const realm = String(++realms)
    const books = server.company(realm, name)
    const dana = books.customer('Dana Hill')
    const kitchen = books.job(dana, 'Kitchen')
    const invoice = books.invoice({ customer: kitchen, lines: [100], number: '1001' })
    books.invoice({ customer: dana, lines: [7], number: '1002' })
    books.payment({ customer: dana, total: 130, invoices: { [invoice]: 100 } })
    books.estimate({ customer: dana, lines: [900], number: 'E-1' })
    return { realm, books, dana }
  }
  const connect = async (realm: string) => {
    const { url, browser } = await execute(beginConnector, ctx(), NAME)
    return await execute(finishConnector, ctx(), { ...NAME, query: server.allow(url, realm).search, browser })
  }
  const count = async () => {
    const [found] = await rows<Record<string, number>>(
      db.orm,
      sql`select (select count(*)::int from users where contractor_id = ${contractor.id}) as customers,
        (select count(*)::int from projects where contractor_id = ${contractor.id}) as projects,
        (select count(*)::int from analytics_invoice_records where contractor_id = ${contractor.id}) as invoices,
        (select count(*)::int from analytics_revenue_transactions where contractor_id = ${contractor.id}) as payments,
        (select count(*)::int from estimates where contractor_id = ${contractor.id}) as estimates`,
    )
    return found
  }
  return { contractor, ctx, load, company, connect, count, shown: () => execute(getConnector, ctx(), NAME) }
}

const OF_ONE = { customers: 1, projects: 3, invoices: 2, payments: 2, estimates: 1 }
const NONE = { customers: 0, projects: 0, invoices: 0, payments: 0, estimates: 0 }

test('connecting asks who has not proven lately that it is them, and tells the administrators', async () => {
  useMailServer()
  const { ctx, company, connect } = await makeOffice()
  const { actor } = ctx()
  const late = { actor: { ...actor, provenAt: null }, now: new Date() }
  await expect(execute(beginConnector, late, NAME)).rejects.toBeInstanceOf(ProofNeeded)
  await connect(company('Whitfield Roofing').realm)
  const [mail] = await deliverMails()
  expect(mail).toMatchObject({ to: actor.email, text: expect.stringContaining('connected the books of Whitfield') })
})

test('books of a second company are refused while records of the first are here; the message names both', async () => {
  const { ctx, company, connect, count, shown } = await makeOffice()
  const first = company('Whitfield Roofing')
  const second = company('Harpeth Builders')
  await connect(first.realm)
  await runConnectors()
  expect(await count()).toEqual(OF_ONE)
  for (const leave of [async () => {}, async () => void (await execute(disconnectConnector, ctx(), NAME))]) {
    await leave()
    await expect(connect(second.realm)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /Harpeth Builders was not connected, because 7 records here come from Whitfield Roofing/,
      ),
    })
  }
  expect(await shown()).toMatchObject({ state: 'disconnected', companyName: 'Whitfield Roofing', error: null })
  await runConnectors()
  expect(await count()).toEqual(OF_ONE)
  // The first is no other company.
  expect(await connect(first.realm)).toMatchObject({ companyName: 'Whitfield Roofing' })
})

test('its records are removed once it is disconnected; then the second takes its place with its own numbers', async () => {
  const { contractor, ctx, company, connect, count, shown } = await makeOffice()
  const first = company('Whitfield Roofing')
  const second = company('Harpeth Builders')
  await connect(first.realm)
  await runConnectors()
  const remove = (realm: string) => execute(removeConnectorRecords, ctx(), { ...NAME, company: realm })
  await expect(remove(first.realm)).rejects.toMatchObject({ code: 'conflict', message: /Disconnect first/ })
  await execute(disconnectConnector, ctx(), NAME)
  expect(await remove(first.realm)).toEqual({
    removed: { customers: 1, projects: 3, invoices: 2, payments: 2, estimates: 1 },
    kept: 0,
    isDone: true,
  })
  expect([await count(), (await shown()).records]).toEqual([NONE, {}])
  expect(await remove(first.realm)).toEqual({ removed: {}, kept: 0, isDone: true })
  await connect(second.realm)
  await runConnectors()
  expect([await count(), (await shown()).company]).toEqual([OF_ONE, second.realm])
  const numbers = await rows(
    db.orm,
    sql`select number from analytics_invoice_records where contractor_id = ${contractor.id} order by 1`,
  )
  expect(numbers).toEqual([{ number: '1001' }, { number: '1002' }])
})

test('what something else belongs to stays, and whoever connects the same books again has everything back', async () => {
  const { ctx, load, company, connect, count } = await makeOffice()
  const { realm } = company('Whitfield Roofing')
  await load({
    'customers.csv': 'Customer ID,Name\nC1,Ben Ray\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Deck\n',
  })
  await connect(realm)
  await runConnectors()
  const all = { ...OF_ONE, customers: 2, projects: 4 }
  expect(await count()).toEqual(all)
  await db.orm.execute(
    sql`update projects set customer_id = (select id from users u where u.contractor_id = projects.contractor_id and u.name = 'Dana Hill') where name = 'Deck'`,
  )
  await execute(disconnectConnector, ctx(), NAME)
  expect(await execute(removeConnectorRecords, ctx(), { ...NAME, company: realm })).toMatchObject({
    kept: 1,
    isDone: true,
  })
  expect(await count()).toEqual({ ...NONE, customers: 2, projects: 1 })
  await connect(realm)
  await runConnectors()
  expect(await count()).toEqual(all)
})

test('a first sync that was taken back leaves nothing in the way of another company', async () => {
  const { ctx, company, connect, count } = await makeOffice()
  const wrong = company('Whitfield Roofing')
  const right = company('Harpeth Builders')
  await connect(wrong.realm)
  await runConnectors()
  await execute(disconnectConnector, ctx(), NAME)
  const { last } = await execute(getLastLoad, ctx(), {})
  await execute(undoLoad, ctx(), { load: last?.load ?? '' })
  expect(await count()).toEqual(NONE)
  await connect(right.realm)
  await runConnectors()
  expect(await count()).toEqual(OF_ONE)
})
