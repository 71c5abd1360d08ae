import { expect, test } from 'vitest'
import * as z from 'zod'
import { operations } from './registry'

const all = Object.values(operations)

test.each(all.map((operation) => [operation.name, operation] as const))(
  '%s: the example is what the output schema says',
  (_, { output, example }) => expect(z.parse(output, example)).toEqual(example),
)

test('names are there once each', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})
