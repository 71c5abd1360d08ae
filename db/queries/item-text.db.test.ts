import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '@/lib/testing/database'
import { type Database, rows } from '../client'
import { itemText } from './list'
import type { ListSource } from './list-types'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const column = (field: string, kind: ListSource['columns'][number]['kind'], nullable = true) => ({
  field,
  column: field,
  kind,
  nullable,
})
const source: ListSource = {
  table: 'none',
  columns: [
    column('id', 'text', false),
    column('name', 'text'),
    column('amount', 'number'),
    column('count', 'number', false),
    column('isOpen', 'text'),
    column('day', 'text'),
    column('lead', 'json'),
  ],
}
const WORDS = [
  '',
  '"',
  '\\',
  '\\u0041',
  '\n\r\t\b\f\u0001\u007f',
  'Ünïcödé “quoted”',
  '👩‍🔧',
  '</script>',
  '\u2028',
  "o'hara",
]

test('a record is written as Postgres writes a row, without what is null, in nested objects too', async () => {
  for (const word of WORDS) {
    const found = await rows<{ ours: string; whole: string }>(
      db.orm,
      sql`select ${sql.raw(itemText(source))} as ours, json_strip_nulls(row_to_json(p))::text as whole from (
        select ${`id ${word}`}::text as id, nullif(${word}::text, '') as name, amount, n as count, n > 1 as "isOpen",
          case when n > 1 then '2026-02-28'::date end as day,
          case when n < 3 then json_build_object('who', nullif(${word}::text, ''), 'at', null, 'in', json_build_object('x', null)) end as lead
        from (values (1, 10.50), (2, null), (3, -0.00), (4, 'NaN'), (5, 12345678901234567890.12)) v(n, amount)) p`,
    )
    expect(found.map(({ ours }) => ours)).toEqual(found.map(({ whole }) => whole))
    expect(found).toHaveLength(5)
  }
})
