import { expect, test } from 'vitest'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { sampleBooks } from '@/lib/testing/tenant'
import { FromMoment, ToMoment } from './fields'
import { RESOURCES, resources } from './registry'
import { SCOPES_WITH_TEXTS } from './scope-texts'

const each = RESOURCES.map((resource) => [resource.name, resource] as const)
const namesOf = (of: (typeof RESOURCES)[number]) => of.source.columns.map(({ field }) => field)

test('the registry holds the resources of the list of names, and nothing else', () => {
  expect(Object.keys(resources)).toEqual([...RESOURCE_NAMES])
  expect(RESOURCES.map(({ name }) => name)).toEqual([...RESOURCE_NAMES])
})

test('no two share a singular, an id prefix, a table or a file', () => {
  for (const fact of [
    RESOURCES.map(({ singular }) => singular),
    RESOURCES.map(({ idPrefix }) => idPrefix),
    RESOURCES.map(({ source }) => source.table),
    RESOURCES.map(({ csv }) => csv.file),
  ])
    expect(new Set(fact).size).toBe(RESOURCES.length)
})

test('names are words joined by hyphens, singulars by spaces: both become parts of identifiers', () => {
  for (const { name, singular, idPrefix } of RESOURCES) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(singular).toMatch(/^[a-z]+( [a-z]+)*$/)
    expect(idPrefix).toMatch(/^[a-z]{3}$/)
  }
})

test('the sample books, over which tests of every resource run, have a file of each', () => {
  expect(Object.keys(sampleBooks(1))).toEqual(expect.arrayContaining(RESOURCES.map(({ csv }) => csv.file)))
})

test('every scope says what it lets a key do', () => {
  for (const { id, text } of SCOPES_WITH_TEXTS) expect(text, id).toMatch(/^[A-Z].{8,}/)
})

test.each(each)('%s: fields and columns are the same; ids begin with the prefix', (_, resource) => {
  expect(namesOf(resource)).toEqual(Object.keys(resource.output.shape))
  expect(resource.example.id).toMatch(new RegExp(`^${resource.idPrefix}_`))
  expect(resource.output.parse(resource.example)).toEqual(resource.example)
})

test.each(each)('%s: a field that may be missing is one whose column may be null', (_, { output, columns }) => {
  for (const [field, schema] of Object.entries(output.shape)) {
    // Older moments of a customer are promised by the specification as fields that may be missing.
    if (/At$/.test(field)) continue
    expect([field, schema.safeParse(undefined).success]).toEqual([field, !columns[field]?.notNull])
  }
})

test.each(each)('%s: what it belongs to is there, and is a filter where the id is public', (_, resource) => {
  for (const { to, column } of resource.links) {
    expect(RESOURCES.map(({ singular }) => singular)).toContain(to)
    const field = Object.entries(resource.columns).find(([, each]) => each === column)?.[0]
    if (field) expect(Object.keys(resource.filters)).toContain(field)
  }
})

test.each(each)('%s: filters compare a column of its table; a span of days has both its ends', (_, resource) => {
  for (const { column } of Object.values(resource.filters)) expect(column.table).toBe(resource.table)
  const { from, to } = resource.filters
  expect([from?.schema, to?.schema]).toEqual(from ? [FromMoment, ToMoment] : [undefined, undefined])
})

test.each(each)('%s: cells fill columns of its table', (_, { csv, table }) => {
  for (const { column } of csv.columns) if (column) expect(column.table).toBe(table)
})
