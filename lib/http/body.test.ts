import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { readIncoming, readWebBody } from './body'

test('a sender that goes away before its body has arrived is told as a client’s error, not as a fault of ours', async () => {
  const gone = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"jsonrpc"'))
      controller.error(new DOMException('This operation was aborted', 'AbortError'))
    },
  })
  const init = { method: 'POST', body: gone, duplex: 'half' }
  const request = new Request('http://localhost/mcp', init)
  await expect(readWebBody(request, 1024)).rejects.toMatchObject({ code: 'bad_request', status: 400 })
})

test.each([
  ['as it arrives', 0],
  ['after it has arrived', 50],
])('a body that is read %s is the same, and one byte over the cap is cut', async (_, waitMs) => {
  const server = createServer(async (request, response) => {
    await sleep(waitMs)
    const { bytes, complete } = await readIncoming(request, 1_000)
    response.end(JSON.stringify({ text: Buffer.from(bytes).toString(), complete }))
  })
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`
  for (const length of [0, 1, 999, 1_000, 1_001, 60_000]) {
    const answer = await fetch(url, { method: 'POST', body: 'x'.repeat(length) })
    const expected = { text: 'x'.repeat(Math.min(length, 1_000)), complete: length <= 1_000 }
    expect(await answer.json(), `${length} bytes`).toEqual(expected)
  }
  server.close()
})
