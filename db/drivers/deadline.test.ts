import { expect, test } from 'vitest'
import { DeadlinePassed, makeDeadline } from './deadline'

const after = <T>(milliseconds: number, value: T) => new Promise<T>((done) => setTimeout(done, milliseconds, value))

test('work in time gives its value or its own error; work that is late is given up', async () => {
  const within = makeDeadline(300)
  expect(await within(after(50, 'in time'))).toBe('in time')
  await expect(within(Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  const began = performance.now()
  await expect(within(after(5_000, 'late'))).rejects.toThrow(DeadlinePassed)
  expect(performance.now() - began).toBeLessThan(2_000)
})
