import { expect, test } from 'vitest'
import { readWebBody } from './body'

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
