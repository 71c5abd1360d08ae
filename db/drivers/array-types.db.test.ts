import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { ARRAYS } from '@/patches/pglite-array-types'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('the numbers of array types are those of this Postgres', async () => {
  const found = await rows<{ element: number; array: number }>(
    db.orm,
    sql`select oid::int as element, typarray::int as array from pg_type where oid in ${Object.keys(ARRAYS).map(Number)}`,
  )
  expect(Object.fromEntries(found.map(({ element, array }) => [element, array]))).toEqual(ARRAYS)
})

test('every column with an array has one of these types', async () => {
  const found = await rows<{ number: number }>(
    db.orm,
    sql`select distinct atttypid::int as number from pg_attribute a join pg_class c on c.oid = attrelid
      join pg_type t on t.oid = atttypid where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and t.typcategory = 'A'`,
  )
  expect(found.length).toBeGreaterThan(2)
  expect(found.map(({ number }) => number).filter((number) => !Object.values(ARRAYS).includes(number))).toEqual([])
})

test('arrays come as arrays', async () => {
  const [row] = await rows(
    db.orm,
    sql`select '{a,"b c",null}'::text[] as texts, '{1,2}'::int[] as numbers, '{t,f}'::bool[] as truths, '{{1},{2}}'::int[] as nested`,
  )
  expect(row).toEqual({ texts: ['a', 'b c', null], numbers: [1, 2], truths: [true, false], nested: [[1], [2]] })
})
