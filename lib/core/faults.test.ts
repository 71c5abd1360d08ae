import { expect, test } from 'vitest'
import * as z from 'zod'
import { faultsOf, sentenceOf } from './faults'

const schema = z.strictObject({
  name: z.string().min(1),
  limit: z.int().min(1).max(100),
  share: z.number().gt(0).lt(1),
  tags: z.array(z.string()).min(2).max(3),
  status: z.enum(['paid', 'open']),
  email: z.email(),
  since: z.iso.datetime({ offset: true }),
  day: z.iso.date(),
  own: z.string('must be the name of a color'),
  nested: z.strictObject({ flag: z.boolean() }),
  either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
  kind: z.discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })]),
})
const GOOD = {
  name: 'Ana',
  limit: 5,
  share: 0.5,
  tags: ['a', 'b'],
  status: 'paid',
  email: 'ana@example.com',
  since: '2026-01-31T08:00:00Z',
  day: '2026-01-31',
  own: 'red',
  nested: { flag: true },
  either: { a: 'x' },
  kind: { is: 'a' },
}

test('a text that is no number, or no finite one, is told what it must be', () => {
  const read = z.object({ a: z.coerce.number(), b: z.coerce.number().int(), c: z.coerce.number() })
  const { error } = read.safeParse({ a: 'many', b: 'x', c: '1e999' }, { error: sentenceOf })
  expect(faultsOf(error as z.ZodError, 'settings').map(({ message }) => message)).toEqual([
    'must be a number',
    'must be a number',
    'must be a number, not an infinite one',
  ])
})

test.each([
  [{ name: undefined }, 'name: is required'],
  [{ name: '' }, 'name: must not be empty'],
  [{ name: 5 }, 'name: must be text, not a number'],
  [{ name: null }, 'name: must be text, not null'],
  [{ limit: 101 }, 'limit: must be at most 100'],
  [{ limit: 0 }, 'limit: must be at least 1'],
  [{ limit: 1.5 }, 'limit: must be a whole number'],
  [{ share: 0 }, 'share: must be more than 0'],
  [{ share: 1 }, 'share: must be less than 1'],
  [{ tags: ['a'] }, 'tags: must have at least 2 items'],
  [{ tags: ['a', 'b', 'c', 'd'] }, 'tags: must have at most 3 items'],
  [{ tags: 'a' }, 'tags: must be a list, not text'],
  [{ tags: ['a', 1] }, 'tags.1: must be text, not a number'],
  [{ status: 'void' }, 'status: must be one of paid, open'],
  [{ email: 'ana' }, 'email: must be an email address such as ana@example.com'],
  [{ since: 'now' }, 'since: must be an ISO 8601 time with an offset such as 2026-01-31T08:00:00Z'],
  [{ day: '1/2/26' }, 'day: must be a date such as 2026-01-31'],
  [{ own: 1 }, 'own: must be the name of a color'],
  [{ nested: {} }, 'nested.flag: is required'],
  [{ either: {} }, 'either: has none of the documented forms'],
  [{ kind: { is: 'c' } }, 'kind.is: must be one of a, b'],
  [{ nested: { flag: true, flags: 1 } }, 'nested: has no field "flags"; did you mean flag? there are flag'],
  [
    { extra: 1 },
    'body: has no field "extra"; there are name, limit, share, tags, status, email, since, day, own, nested, either, kind',
  ],
])('%j is said as a sentence', (change, sentence) => {
  const { error } = schema.safeParse({ ...GOOD, ...change }, { error: sentenceOf })
  expect(faultsOf(error as z.ZodError, 'body').map(({ field, message }) => `${field}: ${message}`)).toEqual([sentence])
})
