import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { endWithRequest } from './answer'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A stream that nobody reads, of a request that nobody holds. */
function unread(signal: AbortSignal): { ended: boolean } {
  const state = { ended: false }
  async function* parts() {
    yield 'a'
  }
  const chunks = parts()
  const finish = chunks.return.bind(chunks)
  chunks.return = (value) => {
    state.ended = true
    return finish(value)
  }
  endWithRequest(new Request('http://localhost/', { signal }), { chunks, ended: Promise.resolve() })
  return state
}

test('a stream ends with its request, although memory was collected meanwhile', async () => {
  const client = new AbortController()
  const state = unread(client.signal)
  for (let i = 0; i < 3; i++) {
    await sleep(10)
    collect()
  }
  client.abort()
  expect(state.ended).toBe(true)
})
