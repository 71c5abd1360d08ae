import { expect, test } from 'vitest'
import { openApiDocument } from './document'
import { documented } from './operation'
import type { Edition, Json } from './schema'

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object of a document with the path to it, without its examples, which are data. */
function objectsIn(value: unknown, path = '#'): [path: string, object: Json][] {
  if (Array.isArray(value)) return value.flatMap((each, i) => objectsIn(each, `${path}/${i}`))
  if (!isJson(value)) return []
  const below = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
  return [[path, value], ...below.flatMap(([name, each]) => objectsIn(each, `${path}/${name}`))]
}

const pathsOf = (edition: Edition, isWrong: (object: Json) => boolean): string[] =>
  objectsIn(openApiDocument(documented(), edition)).flatMap(([path, object]) => (isWrong(object) ? [path] : []))

const EDITIONS: Edition[] = ['3.1', '3.0']
const isTyped = (branch: unknown) =>
  isJson(branch) && ['type', '$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => key in branch)

test.each(EDITIONS)(
  '%s: a format stands without a pattern that says the same, which generators of Python cannot read',
  (edition) => {
    expect(
      pathsOf(edition, ({ format, pattern }) => /^date(?:-time)?$/.test(String(format)) && pattern !== undefined),
    ).toEqual([])
  },
)

test.each(EDITIONS)('%s: each branch of a choice has a type of its own', (edition) => {
  const choices = (object: Json) => [object.anyOf, object.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  expect(pathsOf(edition, (object) => !choices(object).every(isTyped))).toEqual([])
  expect(pathsOf(edition, (object) => choices(object).length > 0 && 'type' in object)).toEqual([])
})

test.each(EDITIONS)('%s: null is no value of an enumeration', (edition) => {
  expect(pathsOf(edition, (object) => Array.isArray(object.enum) && object.enum.includes(null))).toEqual([])
})
