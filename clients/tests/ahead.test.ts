import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { Ahead, batchOf } from '../typescript/src/feed'
import { type Change, isChangesPage } from '../typescript/src/types'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython && process.env.CI === 'true')
  throw new Error('The Python client is tested here: apt-get install python3')

type Told = [change: string, id: string, updatedAt: string | null, recordAt: string | null]
type Kept = [id: string, updatedAt: string]

/** The cases: what the feed told, what the copy has then, and what it would have at the cursor. */
const CASES: [title: string, told: Told[], copy: Kept[], atCursor: Kept[]][] = [
  ['a record as it was sent', [['updated', 'a', 'T1', 'T1']], [['a', 'T1']], [['a', 'T1']]],
  ['a record newer than its change', [['updated', 'a', 'T1', 'T2']], [['a', 'T2']], [['a', 'T1']]],
  [
    'the same after its next item',
    [
      ['updated', 'a', 'T1', 'T2'],
      ['turned', 'a', 'T2', 'T2'],
    ],
    [['a', 'T2']],
    [['a', 'T2']],
  ],
  ['a record that is gone already', [['updated', 'a', 'T1', null]], [], [['a', 'T1']]],
  [
    'the same after its deletion was told',
    [
      ['updated', 'a', 'T1', null],
      ['deleted', 'a', null, null],
    ],
    [],
    [],
  ],
  ['a newer record that the copy lost is not made up', [['updated', 'a', 'T1', 'T2']], [['b', 'T0']], [['b', 'T0']]],
  [
    'a record that the copy has in an older version stays so',
    [['updated', 'a', 'T1', 'T2']],
    [['a', 'T0']],
    [['a', 'T0']],
  ],
  ['a deleted record that the copy kept is counted', [['deleted', 'a', null, null]], [['a', 'T1']], [['a', 'T1']]],
]

const itemsOf = (told: Told[], resource = 'invoices') =>
  told.map(([change, id, updatedAt, recordAt]) => ({
    resource,
    change,
    id,
    at: 'T9',
    ...(updatedAt && { updatedAt }),
    ...(recordAt && { record: { id, updatedAt: recordAt } }),
  }))

function changesOf(told: Told[]): Change[] {
  const page: unknown = { items: itemsOf(told), cursor: 'c', more: false, totals: {} }
  if (!isChangesPage(page)) throw new Error('this is a page of changes')
  return page.items
}

test.each(CASES)('TypeScript counts %s as it was at the cursor', async (_, told, copy, wanted) => {
  const ahead = new Ahead()
  for (const item of changesOf(told)) ahead.note(item)
  const found = []
  for await (const version of ahead.atCursor('invoices', copy)) found.push(version)
  expect(found).toEqual(wanted)
  const others = []
  for await (const version of ahead.atCursor('payments', copy)) others.push(version)
  expect(others).toEqual(copy)
})

test('a batch has of each record only the last, gone ones as deletions', () => {
  const items = changesOf([
    ['created', 'a', 'T1', 'T1'],
    ['updated', 'a', 'T2', 'T2'],
    ['created', 'b', 'T1', 'T1'],
    ['deleted', 'b', null, null],
    ['updated', 'c', 'T1', null],
  ])
  const { upserts, deletes, state } = batchOf(items, 'here')
  expect(upserts).toEqual([{ resource: 'invoices', id: 'a', record: { id: 'a', updatedAt: 'T2' } }])
  expect([deletes.map(({ id }) => id), state]).toEqual([['b', 'c'], 'here'])
})

const PROGRAM = `
import json, sys
sys.path.insert(0, "clients/python")
sys.dont_write_bytecode = True
from plumbline._feed import Ahead
found = []
for items, copy in json.load(sys.stdin):
    ahead = Ahead()
    for item in items:
        ahead.note(item)
    found.append(list(ahead.at_cursor("invoices", [tuple(kept) for kept in copy])))
print(json.dumps(found))`

test.skipIf(!hasPython)('Python counts all of these the same', () => {
  const input = JSON.stringify(CASES.map(([, told, copy]) => [itemsOf(told), copy]))
  const { stdout, stderr } = spawnSync('python3', ['-I', '-c', PROGRAM], { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(CASES.map(([, , , wanted]) => wanted))
})
