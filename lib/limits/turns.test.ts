import { expect, test } from 'vitest'
import { isBusy, Turns, type Waiter } from './turns'

const known: Waiter = { lane: 'known' }
const stranger = (subject: string): Waiter => ({ lane: 'stranger', subject })

/** Returns work that ends on command and records in which order it began. */
function bench(turns: Turns) {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  let most = 0
  let now = 0
  const run = (name: string, waiter: Waiter) =>
    turns.run(waiter, async () => {
      began.push(name)
      most = Math.max(most, ++now)
      await new Promise<void>((done) => ends.set(name, done))
      now--
      return name
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((done) => setImmediate(done))
  }
  return { began, run, end, most: () => most }
}

test('two run at once; known clients go before unknown ones, each lane in order', async () => {
  const { began, run, end, most } = bench(new Turns(2, 3))
  const all = [
    run('a', stranger('1')),
    run('b', stranger('2')),
    run('c', stranger('3')),
    run('d', known),
    run('e', known),
  ]
  expect(began).toEqual(['a', 'b'])
  for (const name of ['a', 'b', 'd', 'e', 'c']) await end(name)
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(began).toEqual(['a', 'b', 'd', 'e', 'c'])
  expect(most()).toBe(2)
})

test('a full queue refuses at once; unknown clients cannot take slots of known ones; an unknown client waits once', async () => {
  const { run, end } = bench(new Turns(1, 2))
  const all = [run('a', stranger('1')), run('b', stranger('1'))]
  await expect(run('b again', stranger('1'))).rejects.toSatisfy(isBusy)
  all.push(run('c', stranger('2')))
  await expect(run('d', stranger('3'))).rejects.toSatisfy(isBusy)
  all.push(run('e', known), run('f', known))
  await expect(run('g', known)).rejects.toSatisfy(isBusy)
  for (const name of ['a', 'e', 'f', 'b', 'c']) await end(name)
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'e', 'f'])
})

test('failed work passes its turn on', async () => {
  const turns = new Turns(1, 1)
  await expect(turns.run(known, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns.run(known, async () => 'done')).toBe('done')
})
