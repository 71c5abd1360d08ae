import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectLog } from '@/lib/testing/log'
import { preparedStatements, tidy } from './pglite'

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
  await client.exec('create table test_jobs (id text primary key, cost int)')
})
afterAll(() => client.close())

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const preparedNow = async () => (await client.query<{ name: string }>('select name from pg_prepared_statements')).rows

const TYPES = {
  name: 'test_types',
  text: `select $1::int as n, $1::int > 5 as "isLarge", $1 || ' é “' as words, $2::text as nothing, $1::numeric / 4 as amount, $3::bool as flag,
    json_build_object('n', $1) as json, array[$1::int] as list, '2026-03-01T10:00:00Z'::timestamptz as at from generate_series(1, $1::int % 3)`,
}
const DIVIDED = { name: 'test_divided', text: 'select 10 / $1::int as n' }
const KEPT = { name: 'test_kept', text: 'insert into test_jobs values ($1, $2) returning id' }

test('a statement answers as `query` does, first and prepared, however many come at once', async () => {
  const run = preparedStatements(client)
  for (const round of ['first', 'prepared']) {
    const found = await Promise.all(upTo(12).map((n) => run(TYPES, [n, null, n > 3])))
    for (const n of upTo(12)) expect(found[n], round).toEqual((await client.query(TYPES.text, [n, null, n > 3])).rows)
  }
  expect(await preparedNow()).toEqual([{ name: 'test_types' }])
})

test('one that fails is refused with its reason, and the next is answered, on its first run too', async () => {
  const run = preparedStatements(client)
  for (const round of ['first', 'prepared']) {
    const settled = await Promise.allSettled([0, 5, 0, 2].map((n) => run(DIVIDED, [n])))
    const said = settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.code)))
    expect(said, round).toEqual(['22012', [{ n: 2 }], '22012', [{ n: 5 }]])
  }
  await expect(run({ name: 'test_invalid', text: 'select no_column' }, [])).rejects.toMatchObject({ code: '42703' })
  await expect(run({ name: 'test_invalid', text: 'select no_column' }, [])).rejects.toMatchObject({ code: '42703' })
})

test('each is a transaction of its own, and waits for one that is open', async () => {
  const run = preparedStatements(client)
  const order: string[] = []
  const open = client.transaction(async (tx) => {
    await tx.query('insert into test_jobs values ($1, $2)', ['kept in vain', 1])
    await new Promise((done) => setTimeout(done, 20))
    order.push('transaction')
    await tx.rollback()
  })
  const kept = run(KEPT, ['kept', 2]).then((rows) => {
    order.push('statement')
    return rows
  })
  await open
  expect(await kept).toEqual([{ id: 'kept' }])
  expect(order).toEqual(['transaction', 'statement'])
  await expect(run(KEPT, ['kept', 3])).rejects.toMatchObject({ code: '23505', constraint: 'test_jobs_pkey' })
  expect((await client.query('select * from test_jobs')).rows).toEqual([{ id: 'kept', cost: 2 }])
})

test('one that was not used for longest is given up, and prepared again when it is used', async () => {
  await client.exec('deallocate all')
  const run = preparedStatements(client, 2)
  const numbered = (n: number) => ({ name: `test_${n}`, text: `select ${n} as n` })
  for (const n of [1, 2, 1, 3]) expect(await run(numbered(n), [])).toEqual([{ n }])
  expect((await preparedNow()).map(({ name }) => name).toSorted()).toEqual(['test_1', 'test_3'])
  expect(await run(numbered(2), [])).toEqual([{ n: 2 }])
})

test('a closed database says so', async () => {
  const closed = await PGlite.create()
  const run = preparedStatements(closed)
  await closed.close()
  await expect(run(DIVIDED, [1])).rejects.toThrow('PGlite is closed')
})

test('a database whose tables cannot be listed is logged and nothing is tidied', async () => {
  const lines = collectLog()
  const query = <Row>() => client.query<Row>('select 1 / 0')
  await tidy({ query, exec: client.exec.bind(client), closed: false }).finally(() => lines.end())
  expect(lines.lines()).toMatchObject([{ level: 'error', operation: 'tidy', message: 'division by zero' }])
})

test('tidying goes through every table that has rows of its own, a partition too, one statement for each', async () => {
  await client.exec(`create table test_days (day int) partition by range (day);
    create table test_days_first partition of test_days for values from (0) to (100);
    create table "test Words" (word text);
    insert into test_days select generate_series(1, 60); delete from test_days where day > 50; insert into "test Words" values ('one')`)
  const statements: string[] = []
  const exec = async (text: string) => {
    // One that is dropped before its turn, and one that fails: the others are tidied.
    if (text === 'vacuum public.test_gone') await client.exec('drop table test_gone')
    statements.push(text)
    return await client.exec(text === 'vacuum pg_catalog.pg_depend' ? 'select 1 / 0' : text)
  }
  await client.exec('create table test_gone (day int)')
  const lines = collectLog()
  await tidy({ query: client.query.bind(client), exec, closed: false }).finally(() => lines.end())
  expect(lines.lines()).toMatchObject([{ operation: 'tidy', statement: 'vacuum pg_catalog.pg_depend' }])
  expect(statements).toEqual(
    expect.arrayContaining([
      'vacuum public.test_days_first',
      'analyze public.test_days_first',
      'vacuum pg_catalog.pg_class',
    ]),
  )
  expect(statements.filter((text) => /,|test_days$/.test(text))).toEqual([])
  const { rows } = await client.query(
    `select relname, reltuples, relallvisible from pg_class where relname in ('test_days_first', 'test Words') order by 1`,
  )
  expect(rows).toEqual([
    { relname: 'test Words', reltuples: 1, relallvisible: 1 },
    { relname: 'test_days_first', reltuples: 50, relallvisible: 1 },
  ])
})
