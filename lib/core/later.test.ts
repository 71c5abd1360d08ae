import { expect, test } from 'vitest'
import { later, once, within } from './later'

test('once makes a value with its first call, and returns the same one', () => {
  let made = 0
  const get = once(() => ({ number: ++made }))
  expect(made).toBe(0)
  expect(get()).toBe(get())
  expect(made).toBe(1)
})

test('later loads once for calls at the same time, and again only after a failure', async () => {
  let tried = 0
  const get = later(async () => {
    tried++
    if (tried === 1) throw new Error('too many files are open')
    return { tried }
  })
  const first = await Promise.allSettled([get(), get()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(tried).toBe(1)
  expect(await Promise.all([get(), get()])).toEqual([{ tried: 2 }, { tried: 2 }])
  expect(await get()).toEqual({ tried: 2 })
  expect(tried).toBe(2)
})

test('a time that is no whole number is waited for', async () => {
  expect(await within(0.5, new Promise(() => {}), () => 'late')).toBe('late')
})
