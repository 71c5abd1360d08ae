import { expect, test } from './fixtures'
import { sendRaw } from './raw'
import { kindOf, launch, makeHome } from './running'
import { stockOf } from './stock'

test('ten of twenty at once; forged addresses do not help; the wait that is told is enough', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'stocked')
  const key = stockOf(kindOf(driver)).spare.agentKey
  const running = await (await launch(entry, home)).ready()
  try {
    const ask = (i: number) =>
      sendRaw(
        running.port,
        `GET /api/v1/projects HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\nx-forwarded-for: 10.0.0.${i}\r\nx-real-ip: 10.0.1.${i}\r\nforwarded: for=10.0.2.${i}\r\nX-Plumbline-Address: 10.0.3.${i}\r\nconnection: close\r\n\r\n`,
      )
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    for (const { headers, body } of refused) {
      expect(headers['x-ratelimit-remaining']).toBe('0')
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 - 1)
      expect(JSON.parse(body)).toMatchObject({ code: 'rate_limited' })
    }
    const elsewhere = await sendRaw(
      running.port,
      `GET /api/v1/payments HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`,
    )
    expect(elsewhere.status).toBe(200)
  } finally {
    await running.end()
    await home.remove()
  }
})

test('behind one trusted proxy the address it saw counts', async ({ entry, driver }) => {
  const home = await makeHome(driver, 'stocked')
  const running = await (await launch(entry, home, { TRUSTED_PROXY_HOPS: '1', RATE_LIMIT_DATA_API: '2' })).ready()
  try {
    const ask = (address: string) =>
      sendRaw(
        running.port,
        `GET /api/v1/projects HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 6.6.6.6, ${address}\r\nconnection: close\r\n\r\n`,
      )
    const statuses: number[] = []
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2'])
      statuses.push((await ask(address)).status)
    expect(statuses).toEqual([401, 401, 429, 401])
  } finally {
    await running.end()
    await home.remove()
  }
})
