import { expect, test, vi } from 'vitest'
import { Conversation } from './conversation'

const told = async (conversation: Conversation, answer: Promise<string>) => {
  const events: string[] = []
  for await (const event of conversation.streamOf(answer).chunks) events.push(String(event))
  return events.map((event) => JSON.parse(event.split('data: ')[1] ?? ''))
}

test('a call that runs long tells each second that it runs, under the token it was given', async () => {
  vi.useFakeTimers()
  try {
    const conversation = new Conversation({ _meta: { progressToken: 'p' } }, null)
    const work = conversation.during(
      'price_project',
      () => new Promise<string>((done) => setTimeout(done, 2_500, '{"id":1}')),
    )
    const seen = told(conversation, work)
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await conversation.opened).toBe('opened')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await seen).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 2 } },
      { id: 1 },
    ])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('without a token and a level nothing is told', async () => {
  const conversation = new Conversation(undefined, null)
  expect(await conversation.during('a', async () => 1)).toBe(1)
  conversation.log('emergency', 'a', {})
  expect(await Promise.race([conversation.opened, Promise.resolve('silent')])).toBe('silent')
})

test('an answer without a text, as to a notification, ends the stream', async () => {
  const conversation = new Conversation({ _meta: {} }, 'info')
  conversation.log('info', 'a', { n: 1 })
  conversation.log('debug', 'a', { n: 2 })
  const { chunks, ended } = conversation.streamOf(Promise.resolve(null))
  expect((await chunks.next()).value).toContain('"n":1')
  expect(await chunks.next()).toEqual({ done: true, value: undefined })
  await ended
})

test('a call that its client has cancelled tells no more progress', async () => {
  vi.useFakeTimers()
  try {
    const controller = new AbortController()
    const conversation = new Conversation({ _meta: { progressToken: 'p' } }, null, controller.signal)
    const work = conversation.during('a', () => new Promise((done) => setTimeout(done, 5_000)))
    controller.abort()
    expect(await conversation.ended).toBe('cancelled')
    await vi.advanceTimersByTimeAsync(5_000)
    await work
    expect(await Promise.race([conversation.opened, Promise.resolve('silent')])).toBe('silent')
  } finally {
    vi.useRealTimers()
  }
})
