import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { owesAnswer, serverOn, takeListeners, takeWaiting } from './next-server'

const held = new Map<string, ServerResponse>()
const server = createServer((request, response) => {
  held.set(`${request.method} ${request.url}`, response)
})
const end = (text: string) => (_: IncomingMessage, response: ServerResponse) => response.end(text)

afterAll(() => void server.close())

test('requests that wait for Next are answered by us, but those with a body or of pages', async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  const [list, lead, page] = [ask('/api/list'), ask('/api/leads', 'POST'), ask('/sign-in')]
  await expect.poll(() => held.size).toBe(3)

  const found = serverOn(port)
  expect(found).toBe(server)
  takeListeners(server)
  server.on('request', end('later'))
  const isOurs = ({ url }: IncomingMessage) => url?.startsWith('/api/') ?? false
  expect(owesAnswer(server, isOurs)).toBe(true)
  takeWaiting(server, isOurs, end('ours'))

  const answer = await list
  expect(await answer.text()).toBe('ours')
  expect(answer.headers.get('connection')).toBe('close')
  expect(owesAnswer(server, isOurs)).toBe(false)
  // Next leaves a response that has ended.
  expect(held.get('GET /api/list')?.finished).toBe(true)
  held.get('POST /api/leads')?.end('of Next')
  held.get('GET /sign-in')?.end('of Next')
  expect(await (await lead).text()).toBe('of Next')
  expect(await (await page).text()).toBe('of Next')
  expect(await (await ask('/api/list')).text()).toBe('later')
})
