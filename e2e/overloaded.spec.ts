import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from './fixtures'
import { UNLIMITED } from './lead'
import { makePerson, signIn } from './people'
import { launch, makeHome } from './running'
import { stockOf } from './stock'

test('a page that the database keeps waiting says so in plain words, and leaves which statement waited', async ({
  entry,
  driver,
  browser,
}) => {
  const home = await makeHome(driver, 'stocked')
  const running = await (await launch(entry, home, UNLIMITED)).ready()
  const storageState = await signIn(running.url, await makePerson({ home }, stockOf('pg').spare.id))
  const context = await browser.newContext({ storageState, baseURL: running.url })
  const page = await context.newPage()
  const blocker = new Client({ connectionString: home.postgresUrl })
  await blocker.connect()
  const lock = (table: string) => blocker.query(`begin; lock table ${table} in access exclusive mode`)
  // `next start` knows no other status of a page that failed.
  const overloaded = entry === 'server' ? [503, '2'] : [500, undefined]
  const words = page.getByText('The database has more to do right now')
  for (const table of ['analytics_invoice_records', 'person_sessions']) {
    await lock(table)
    const answer = await page.goto('/invoices')
    expect([answer?.status(), answer?.headers()['retry-after']], table).toEqual(overloaded)
    await expect(words, table).toBeVisible()
    await blocker.query('rollback')
  }
  await page.goto('/customers')
  await lock('analytics_invoice_records')
  await page.getByRole('link', { name: 'Invoices' }).first().click()
  await expect(words).toBeVisible()
  await blocker.query('rollback')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible()

  await lock('analytics_invoice_records')
  const slow = page.goto('/invoices')
  await sleep(1_500)
  await blocker.query('rollback')
  expect((await slow)?.status()).toBe(200)
  await context.close()
  await blocker.end()
  await running.end()
  if (entry === 'server') {
    const lines = running.output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    const about = lines.filter(({ operation }) => operation === 'page /invoices')
    const slowLines = about.filter(({ message }) => message === 'slow request')
    expect(slowLines.map(({ status }) => status).slice(-1)).toEqual([200])
    expect(slowLines.at(-1)?.parts).toMatch(/analytics_invoice_records\w* 1\d\d\d ms/)
    expect(
      about.filter(({ level, message }) => level === 'error' && /did not answer within/.test(message)).length,
    ).toBeGreaterThan(0)
  }
  await home.remove()
})
