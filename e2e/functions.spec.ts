import { Client } from 'pg'
import { expect, get, test } from './fixtures'
import { ANA, post } from './lead'
import { command, type Home, launch, makeHome } from './running'
import { stockOf } from './stock'

/** Variables set by the platform. */
const PLATFORM = { VERCEL: '1', VERCEL_ENV: 'production', CRON_SECRET: 'a-secret-for-the-scheduler' }

/** Asks a home's database until it gives something. */
async function eventually(home: Home, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: home.postgresUrl })
  await client.connect()
  try {
    let found: unknown
    const ask = async () => {
      found = (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0]
      return found
    }
    await expect.poll(ask, { timeout: 20_000 }).toBeTruthy()
    return found
  } finally {
    await client.end()
  }
}

test('a function answers, and behind its answers writes the log, indexes guides and sends what a write has caused', async ({
  driver,
}) => {
  const home = await makeHome(driver, 'stocked')
  const { id, leadKey } = stockOf('pg').spare
  const granted = ['--preset', 'integration', '--scopes', 'write:webhooks']
  const key = await command(home, 'keys', 'create', '--contractor', id, '--name', 'e2e', ...granted)
  const client = new Client({ connectionString: home.postgresUrl })
  await client.connect()
  await client.query('delete from document_chunks; delete from documents')
  const running = await (await launch('function', home, PLATFORM)).ready()
  expect((await get({ url: running.url, key }, '/api/v1/projects')).status).toBe(200)
  expect(await eventually(home, `select status from request_log where endpoint = 'list_projects'`)).toBe(200)
  await eventually(home, 'select reference from documents order by reference')
  const hook = { url: 'https://hook.example.com/', events: ['project.created'], description: '' }
  expect((await post(running.url, key, hook, '/api/v1/webhooks/create')).status).toBe(200)
  // Nobody listens there. What counts is that it is tried, although no timer runs.
  await client.query("update webhook_endpoints set url = 'https://127.0.0.1:9/'")
  await client.end()
  expect((await post(running.url, leadKey, ANA)).status).toBe(201)
  await eventually(home, 'select attempts from webhook_deliveries where attempts > 0')
  await running.end('SIGKILL')
  await home.remove()
})

test('a function does not serve the demonstration’s data: its first request ends it', async ({ driver }) => {
  const home = await makeHome(driver, 'stocked')
  const client = new Client({ connectionString: home.postgresUrl })
  await client.connect()
  await client.query('update contractors set demo = true')
  await client.end()
  const running = await launch('function', home, PLATFORM)
  await expect(running.ready()).rejects.toThrow(/is public \(it is a production deployment on Vercel\)/)
  expect(running.process.exitCode).toBe(1)
  await home.remove()
})
