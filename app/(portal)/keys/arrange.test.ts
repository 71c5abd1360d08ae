import { expect, test } from 'vitest'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { arrange, type Key, secretsOf } from './arrange'

const [example] = listKeys.example.items
const key = (id: string, state: Key['state'], rotatedTo: string | null = null): Key => {
  if (!example) throw new Error('the operation has an example')
  return { ...example, id, state, rotatedTo }
}
const ids = (keys: Key[]) => {
  const { inUse, ended } = arrange(keys)
  return { inUse: inUse.map(({ key, old }) => [key.id, ...old.map(({ id }) => id)]), ended: ended.map(({ id }) => id) }
}

test('keys in use are separate from ended ones, in the given order', () => {
  expect(ids([key('d', 'revoked'), key('c', 'active'), key('b', 'expired'), key('a', 'active')])).toEqual({
    inUse: [['c'], ['a']],
    ended: ['d', 'b'],
  })
})

test('old secrets that still work are listed with the newest key of their chain, others with the ended keys', () => {
  const chain = [key('4', 'active'), key('3', 'overlap', '4'), key('2', 'overlap', '3'), key('1', 'replaced', '2')]
  expect(ids(chain)).toEqual({ inUse: [['4', '3', '2']], ended: ['1'] })
})

test('an old secret whose successor was revoked is a key in use', () => {
  expect(ids([key('2', 'revoked'), key('1', 'overlap', '2')])).toEqual({ inUse: [['1']], ended: ['2'] })
})

test('an ended secret in the middle of a chain hides no other secret', () => {
  expect(ids([key('3', 'active'), key('2', 'revoked', '3'), key('1', 'overlap', '2')])).toEqual({
    inUse: [['3', '1']],
    ended: ['2'],
  })
})

test('the explorer’s keys are temporary, whether they still work or not', () => {
  const ofExplorer = (id: string, state: Key['state']): Key => {
    const createdAt = new Date('2026-11-20T08:00:00.000Z')
    return { ...key(id, state), name: 'Explorer, Ana Ruiz', createdAt, expiresAt: new Date('2026-11-20T09:00:00.000Z') }
  }
  const { inUse, ended, temporary } = arrange([
    ofExplorer('c', 'active'),
    ofExplorer('b', 'expired'),
    { ...key('a', 'expired'), name: 'Explorer, kept for a year' },
  ])
  expect([inUse.map(({ key: { id } }) => id), ended.map(({ id }) => id), temporary.map(({ id }) => id)]).toEqual([
    [],
    ['a'],
    ['c', 'b'],
  ])
})

test('the secrets of a key are its own and those it replaced, the latest first, without what ended before a moment', () => {
  const ended = { ...key('a', 'replaced', 'b'), expiresAt: new Date('2026-10-01') }
  const [b, c, other] = [key('b', 'overlap', 'c'), key('c', 'active'), key('d', 'active')]
  const keys = [other, ended, c, b]
  const since = (day: string, of: Key) => secretsOf(keys, of, new Date(day)).map(({ id }) => id)
  expect(since('2026-09-30', c)).toEqual(['c', 'b', 'a'])
  expect(since('2026-10-02', c)).toEqual(['c', 'b'])
  expect(since('2026-09-30', b)).toEqual(['b', 'a'])
  expect(since('2026-09-30', other)).toEqual(['d'])
})
