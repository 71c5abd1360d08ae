import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashFunctions, readFunctions, readRevision, takesRows } from './drivers/functions'
import * as schema from './schema'

const files = await readFunctions('db')

test('the revision is of the functions as they are; otherwise run `npm run migrations`', async () => {
  expect((await readRevision('db')).hash).toBe(hashFunctions(files))
})

for (const file of files) {
  const { place, text } = file
  test(`${place}: says what it is for, and defines the function it is named after, once`, () => {
    expect(text).toMatch(/^-- /)
    const defined = [...text.matchAll(/^create (or replace )?function (\w+)/gm)]
    expect(defined.map(([, replaces, name]) => [replaces, `${name}.sql`])).toEqual([
      ['or replace ', place.split('/').at(-1)],
    ])
  })
}

test('functions whose arguments are rows, of a table or of a type, and only those, are created after the tables', () => {
  const tables = Object.values(schema).flatMap((table) => {
    const name = Object(table)[Symbol.for('drizzle:Name')]
    return typeof name === 'string' ? [name] : []
  })
  const types = readdirSync('db/migrations')
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [...readFileSync(`db/migrations/${name}`, 'utf8').matchAll(/^create type (\w+) as \(/gm)])
  const kinds = new Set([...tables, ...types.map(([, name]) => name)])
  const ofRows = files.filter(({ text }) => {
    const parameters = /function \w+\(([^)]*)\)/.exec(text)?.[1] ?? ''
    return parameters.split(',').some((parameter) => kinds.has(/^\w+ (\w+)/.exec(parameter.trim())?.[1] ?? ''))
  })
  expect(tables.length).toBeGreaterThan(60)
  expect(ofRows.map(({ place }) => place)).toEqual(files.filter(takesRows).map(({ place }) => place))
})
