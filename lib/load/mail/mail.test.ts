import { expect, test } from 'vitest'
import { JsonMarks } from './mail'

/** Counts the marks of a text that arrives in pieces of a size. */
function marksOf(text: string, size: number): number {
  const marks = new JsonMarks()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) marks.take(bytes.subarray(at, at + size))
  return marks.count
}

test.each([
  ['{"a":[1,2,{"b":null}]}', 7],
  [JSON.stringify({ a: '{[,:' }), 2],
  [JSON.stringify({ 'a"[': 'b\\', c: 'd\\",' }), 4],
  [JSON.stringify(['\\\\', '"', 'ü,“']), 3],
  ['', 0],
])('%s has %i marks, however it arrives', (text, count) => {
  for (const size of [1, 2, 3, 1_000]) expect(marksOf(text, size), `pieces of ${size}`).toBe(count)
})
